package dev.switchboard.provider;

import dev.switchboard.text.Sha256;

/// The ids of calls that a provider accepts. In a conversation that goes on with another provider,
/// earlier calls have ids that the first one gave.
///
/// @param most the maximum characters, at least 32
/// @param plain whether only letters, digits, `_` and `-` are accepted
public record CallIds(int most, boolean plain) {
  private static final int SHORT = 32;

  /// That id if it is accepted; otherwise one that stands for it, equal for equal ids.
  public String of(String id) {
    return id.length() <= most && (!plain || id.chars().allMatch(CallIds::isPlain))
        ? id
        : Sha256.hex(id).substring(0, SHORT);
  }

  private static boolean isPlain(int c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '_'
        || c == '-';
  }
}
