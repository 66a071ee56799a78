package dev.switchboard.server;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// The route of the OpenAPI 3.1 description of all others.
final class OpenApiRoute {
  void install(RoutesConfig routes) {
    routes.get("/openapi.json", OpenApiRoute::describe);
  }

  private static void describe(Context ctx) throws IOException {
    try (InputStream in = OpenApiRoute.class.getResourceAsStream("openapi.json")) {
      ctx.contentType("application/json").result(Objects.requireNonNull(in).readAllBytes());
    }
  }
}
