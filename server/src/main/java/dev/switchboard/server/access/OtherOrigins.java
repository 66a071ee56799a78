package dev.switchboard.server.access;

import io.javalin.http.Context;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The pages of other origins that may use the server with a token: the answers to their browsers
/// (CORS). Cookies are never taken from them.
final class OtherOrigins {
  private static final Pattern ORIGIN =
      Pattern.compile("https?://(\\[[0-9a-f:.]{2,45}]|[a-z0-9._-]{1,253})(:\\d{1,5})?");
  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9-]+( *, *[A-Za-z0-9-]+){0,63}");

  private final List<String> allowed;

  OtherOrigins(List<String> allowed) {
    this.allowed = List.copyOf(allowed);
  }

  /// Whether that is an origin as browsers send it.
  static boolean isOrigin(String text) {
    return ORIGIN.matcher(text).matches()
        && !text.matches("http://[^\\[\\]]*:80|https://[^\\[\\]]*:443");
  }

  /// Whether that `Origin` header is one of them.
  boolean has(@Nullable String origin) {
    return origin != null && allowed.contains(origin);
  }

  /// Tells the browser that the page may read the response; returns whether the request was only
  /// the question whether another may be sent, which is then answered.
  boolean answer(Context ctx) {
    String origin = ctx.header("Origin");
    if (!has(origin)) {
      return false;
    }
    ctx.header("Access-Control-Allow-Origin", String.valueOf(origin));
    ctx.header("Vary", "Origin");
    ctx.header(
        "Access-Control-Expose-Headers",
        "Location, Retry-After, Mcp-Session-Id, x-vercel-ai-ui-message-stream");
    boolean asks =
        ctx.req().getMethod().equals("OPTIONS")
            && ctx.header("Access-Control-Request-Method") != null;
    if (asks) {
      ctx.header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
      String headers = ctx.header("Access-Control-Request-Headers");
      if (headers != null && NAMES.matcher(headers).matches()) {
        ctx.header("Access-Control-Allow-Headers", headers);
      }
      ctx.header("Access-Control-Max-Age", "600");
      ctx.status(204).skipRemainingHandlers();
    }
    return asks;
  }
}
