package dev.switchboard.text;

import java.util.Base64;
import java.util.regex.Pattern;

/// Ids of conversations that the runtime derives. They begin with `~`, which no id that a client or
/// a program chooses may contain, and end in the SHA-256 of agent, principal and key: so two of
/// them are equal only if all three are.
public final class DerivedId {
  /// The kind of conversations that agents have with each other.
  public static final String AGENT = "agent";

  private static final char MARK = '~';
  private static final Pattern CHOSEN = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9_.:-]{1,128}");

  private DerivedId() {}

  /// The id of the conversation of that kind, such as `mcp`, for an agent, a principal and a key.
  public static String of(String kind, String agent, String principal, String key) {
    return MARK + kind + "." + hash(agent, principal, key);
  }

  /// Whether that is the id of a conversation of that kind.
  public static boolean isOf(String kind, String id) {
    return id.startsWith(MARK + kind + ".");
  }

  /// The SHA-256 of these texts, each with its length, in base64url.
  public static String hash(String... texts) {
    StringBuilder parts = new StringBuilder();
    for (String part : texts) {
      parts.append(part.length()).append(':').append(part);
    }
    byte[] hash = Sha256.of(parts.toString());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
  }

  /// Whether only the runtime begins conversations of such an id.
  public static boolean isReserved(String id) {
    return id.indexOf(MARK) >= 0;
  }

  /// Whether clients and people may begin a conversation of that id: 1 to 128 characters of `A-Z`,
  /// `a-z`, `0-9` and `_.:-`, and neither `.` nor `..`, which no path of HTTP holds.
  public static boolean mayBeChosen(String id) {
    return CHOSEN.matcher(id).matches();
  }

  /// Refuses a reserved id for a conversation that somebody else begins.
  ///
  /// @throws IllegalArgumentException when the runtime alone begins conversations of such an id
  public static void requireChosen(String id) {
    if (isReserved(id)) {
      throw new IllegalArgumentException(
          "the id of a new conversation must not contain '~': '" + id + "'");
    }
  }
}
