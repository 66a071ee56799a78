package dev.switchboard.mount;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An authenticated client: the owner of its conversations and memory.
///
/// @param name of its token; for the users of a back end, the token's and the user's
/// @param actor the operator that acts for this principal, null if it acts itself
public record Principal(String name, Set<Role> roles, @Nullable String actor) {
  /// The principal of a process without a server, such as commands in the terminal.
  public static final Principal LOCAL = of("local", Role.values());

  public Principal {
    EnumSet<Role> all = EnumSet.noneOf(Role.class);
    all.addAll(roles);
    roles = Collections.unmodifiableSet(all);
  }

  /// A principal that acts itself.
  public static Principal of(String name, Role... roles) {
    return new Principal(name, Set.copyOf(List.of(roles)), null);
  }

  /// Whether it has that permission.
  public boolean may(Permission permission) {
    return permission.roles().stream().anyMatch(roles::contains);
  }

  /// Whether it has that permission in others' conversations too. An operator that acts for a
  /// principal has that principal's only.
  public boolean mayForAll(Permission permission) {
    return actor == null && may(permission);
  }

  /// Why it lacks that permission, with the command that gives it the role.
  public String refusal(Permission... any) {
    EnumSet<Role> enough = EnumSet.noneOf(Role.class);
    List.of(any).forEach(permission -> enough.addAll(permission.roles()));
    EnumSet<Role> more = EnumSet.noneOf(Role.class);
    more.addAll(roles);
    more.add(enough.iterator().next());
    return "This needs the role %s, and the token '%s' has %s: switchboard token roles %s --role %s"
        .formatted(
            Role.words(enough, " or "),
            token(),
            roles.isEmpty() ? "none" : Role.words(roles, " and "),
            token(),
            Role.words(more, " --role "));
  }

  /// The name of its token.
  private String token() {
    int slash = name.indexOf('/');
    return actor != null ? actor : slash < 0 ? name : name.substring(0, slash);
  }

  /// Who acts, for logs and answers: also the operator that acts for this principal.
  public String by() {
    return actor == null ? name : actor + " for " + name;
  }
}
