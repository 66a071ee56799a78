package dev.switchboard.server;

import dev.switchboard.server.access.Problem;
import dev.switchboard.text.PrincipalName;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// The query parameter `principal`.
final class PrincipalParameter {
  private PrincipalParameter() {}

  /// The principal that a request names, null for none.
  ///
  /// @throws Problem when no principal can have that name
  static @Nullable String of(Context ctx) {
    String name = ctx.queryParam("principal");
    try {
      return name == null ? null : PrincipalName.checked(name);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("`principal`: " + e.getMessage() + ".");
    }
  }
}
