package dev.switchboard.text;

/// The owners of memory in a store, where the parameter `agent` is one: an agent's name alone holds
/// what is [PrincipalName#LOCAL]'s and what all share; the name, U+001F and a principal hold what
/// is that principal's.
public final class MemoryOwner {
  private static final char SEPARATOR = '\u001F';

  private MemoryOwner() {}

  /// The owner of what that agent remembers for a principal.
  ///
  /// @throws IllegalArgumentException when it would be another owner, since no principal is named
  ///   so
  public static String of(String agent, String principal) {
    if (principal.isEmpty() || principal.indexOf(SEPARATOR) >= 0) {
      throw new IllegalArgumentException("memory belongs to no principal of that name");
    }
    return principal.equals(PrincipalName.LOCAL) ? agent : agent + SEPARATOR + principal;
  }

  /// The owner of the blocks that the agent begins with, from which each principal's own ones are
  /// copied: of no principal, since no name is empty.
  public static String templates(String agent) {
    return agent + SEPARATOR;
  }

  /// The name of the agent of that owner.
  public static String agent(String owner) {
    int end = owner.indexOf(SEPARATOR);
    return end < 0 ? owner : owner.substring(0, end);
  }

  /// The principal of that owner.
  public static String principal(String owner) {
    int end = owner.indexOf(SEPARATOR);
    return end < 0 ? PrincipalName.LOCAL : owner.substring(end + 1);
  }
}
