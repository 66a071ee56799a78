package dev.switchboard.server.access;

import java.util.Locale;

/// What a token may do; each role may also do what those before it may.
public enum Role {
  /// Talk with agents, and see the conversations of its own principal.
  CHAT,
  /// Also see and answer the calls that wait for a person.
  APPROVE,
  /// Everything, the conversations of others included.
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
