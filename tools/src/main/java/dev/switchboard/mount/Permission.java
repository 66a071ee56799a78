package dev.switchboard.mount;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What a client may do, and the roles that allow it. Every host asks this table; whatever is in no
/// other row needs [#OPERATE].
public enum Permission {
  /// See agents and their tools.
  SEE_AGENTS(Role.CHAT, Role.TOOLS, Role.APPROVE),
  /// Talk in own conversations, and undo a call there, once, as its result offers.
  TALK(Role.CHAT, Role.APPROVE),
  /// Read, cancel and delete own conversations.
  OWN_CONVERSATIONS(Role.CHAT, Role.TOOLS, Role.APPROVE),
  /// Answer a request in an own conversation for its one call, with unchanged arguments.
  ANSWER_OWN(Role.CHAT, Role.APPROVE),
  /// Call tools directly, in own conversations.
  CALL_TOOLS(Role.TOOLS),
  /// See the requests of all conversations, and answer them in every way.
  ANSWER_ALL(Role.APPROVE),
  /// Others' conversations, memory, the system prompt, circuit breakers, metrics, calls on the
  /// line, and tokens.
  OPERATE;

  private final Set<Role> roles;

  Permission(Role... roles) {
    EnumSet<Role> all = EnumSet.of(Role.OPERATE);
    all.addAll(List.of(roles));
    this.roles = Collections.unmodifiableSet(all);
  }

  /// Its name in answers.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The roles that allow it.
  public Set<Role> roles() {
    return roles;
  }
}
