package dev.switchboard.server.access;

import java.util.Locale;

/// The permissions of a token; each role includes the previous ones.
public enum Role {
  /// Converse with agents, and see the conversations of its own principal.
  CHAT,
  /// Also see and answer the calls that wait for a person.
  APPROVE,
  /// Everything, including the conversations of others.
  OPERATE;

  /// Whether this role may do what the other may.
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  /// Its name in files, commands and messages.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
