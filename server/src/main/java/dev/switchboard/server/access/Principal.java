package dev.switchboard.server.access;

/// On whose behalf a request is made.
///
/// @param name of its token, under which its conversations are kept
public record Principal(String name, Role role) {
  /// Whether it may do what that role may.
  public boolean may(Role needed) {
    return role.includes(needed);
  }
}
