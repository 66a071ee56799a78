package dev.switchboard.server.access;

import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.mount.Role;
import io.javalin.security.RouteRole;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The permissions of which a client needs one for a route. A route that states none needs
/// [Permission#OPERATE].
///
/// @param any one of which is enough; none if the route is open to everyone
public record Needs(List<Permission> any) implements RouteRole {
  /// A route that is open to everyone.
  public static final Needs NOTHING = new Needs(List.of());

  private static final Needs OPERATE = of(Permission.OPERATE);

  public Needs {
    any = List.copyOf(any);
  }

  /// A route for clients with one of these permissions.
  public static Needs of(Permission... any) {
    return new Needs(List.of(any));
  }

  /// What a route with these roles needs.
  public static Needs stated(Set<? extends RouteRole> roles) {
    return roles.stream()
        .filter(Needs.class::isInstance)
        .map(Needs.class::cast)
        .findFirst()
        .orElse(OPERATE);
  }

  /// The roles that are enough; none if the route is open to everyone.
  public Set<Role> roles() {
    return any.stream()
        .flatMap(permission -> permission.roles().stream())
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class)));
  }

  /// @throws Problem `forbidden` when the principal has none of the permissions
  void check(Principal principal) {
    if (!any.isEmpty() && any.stream().noneMatch(principal::may)) {
      throw Problem.forbidden(principal.refusal(any.toArray(Permission[]::new)));
    }
  }
}
