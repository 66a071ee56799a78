package dev.switchboard.text;

import org.jspecify.annotations.Nullable;

/// Names of principals, which talk to an agent, such as a token of the server, a user of an
/// application, or a call.
public final class PrincipalName {
  /// Who uses an agent in a terminal, in a program, or over MCP's standard input.
  public static final String LOCAL = "local";

  /// The longest name, in characters.
  public static final int LONGEST = 200;

  // No token has a name with a colon.
  private static final String CALL = "call:";
  private static final String CALLER = "tel:";

  private PrincipalName() {}

  /// The principal of the phone call of that id alone.
  public static String ofCall(String id) {
    return CALL + id;
  }

  /// The principal of all calls with that number.
  public static String ofCaller(String number) {
    return CALLER + number;
  }

  /// Whether it is the principal of the phone call of that id, alone or with others of its number.
  public static boolean isOfCall(String name, String id) {
    return name.equals(ofCall(id)) || name.startsWith(CALLER);
  }

  /// Whether what belongs to that owner is another principal's than the asking one's.
  ///
  /// @param owner null if it belongs to none so far
  /// @param asking null for the owner
  public static boolean isOthers(@Nullable String owner, @Nullable String asking) {
    return owner != null && asking != null && !owner.equals(asking);
  }

  /// The name, if it can be one: 1 to [#LONGEST] characters, none of which is a control character.
  ///
  /// @throws IllegalArgumentException when it cannot
  public static String checked(String name) {
    if (name.isBlank() || name.length() > LONGEST || !isPlain(name)) {
      throw new IllegalArgumentException(
          "the name of a principal must have 1 to %d characters, without control characters"
              .formatted(LONGEST));
    }
    return name;
  }

  private static boolean isPlain(String name) {
    return name.equals(Surrogates.repaired(name))
        && name.codePoints().noneMatch(Character::isISOControl);
  }
}
