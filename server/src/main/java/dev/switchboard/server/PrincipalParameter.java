package dev.switchboard.server;

import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.access.Problem;
import dev.switchboard.text.PrincipalName;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// The query parameter `principal`.
final class PrincipalParameter {
  private PrincipalParameter() {}

  /// The principal that a request names, null for none.
  ///
  /// @throws Problem when no principal can have that name, or it is another one than the asking
  ///   principal, who acts for that one alone or lacks the role
  static @Nullable String of(Context ctx, Principal asking) {
    String name = ctx.queryParam("principal");
    if (name == null) {
      return null;
    }
    try {
      String named = PrincipalName.checked(name);
      if (!named.equals(asking.name()) && !asking.mayForAll(Permission.OPERATE)) {
        throw refused(asking, named);
      }
      return named;
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("`principal`: " + e.getMessage() + ".");
    }
  }

  private static Problem refused(Principal asking, String named) {
    return Problem.forbidden(
        asking.actor() == null
            ? "What belongs to others needs the role operate."
            : "The request acts for '%s' and names '%s': leave X-Act-For away, or name the same."
                .formatted(asking.name(), named));
  }
}
