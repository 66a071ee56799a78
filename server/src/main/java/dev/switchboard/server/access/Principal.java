package dev.switchboard.server.access;

/// An authenticated client.
///
/// @param name of its token, which owns its conversations
public record Principal(String name, Role role) {
  /// Whether it has the permissions of that role.
  public boolean may(Role needed) {
    return role.includes(needed);
  }
}
