package dev.switchboard.server;

import dev.switchboard.server.access.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/// The routes of the console, whose files are in the jar. All its pages load the same document.
final class ConsoleRoutes {
  /// The paths of its pages.
  static final List<String> PAGES =
      List.of("/", "/login", "/conversations/{id}", "/approvals", "/tools", "/memory");

  /// The path of its files.
  static final String ASSETS = "/assets/<path>";

  private static final String FOLDER = "console/";
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "txt", "text/plain; charset=utf-8");

  void install(RoutesConfig routes) {
    PAGES.forEach(page -> routes.get(page, ctx -> file(ctx, "index.html")));
    routes.get(ASSETS, ctx -> file(ctx, "assets/" + ctx.pathParam("path")));
  }

  private static void file(Context ctx, String name) throws IOException {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null || name.contains("..") || !name.matches("[A-Za-z0-9/_.-]+")) {
      throw Problem.notFound();
    }
    try (InputStream in = ConsoleRoutes.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw Problem.notFound();
      }
      ctx.header("Cache-Control", "no-cache").contentType(type).result(in.readAllBytes());
    }
  }
}
