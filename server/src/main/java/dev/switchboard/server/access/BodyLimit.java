package dev.switchboard.server.access;

import java.util.regex.Pattern;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.Callback;

/// Refuses bodies that are too large: where a user's sentence comes in, which may have files, more
/// is taken than elsewhere.
final class BodyLimit extends SizeLimitHandler {
  private static final Pattern SENTENCES =
      Pattern.compile(
          "/v1/agents/[^/]+/conversations|/v1/conversations/[^/]+/turns|/agui/[^/]+|/ai/[^/]+"
              + "|/v1/chat/completions");

  private BodyLimit() {
    super(RequestShape.MOST_BODY, -1);
  }

  static void install(Server server) {
    server.insertHandler(new BodyLimit());
    server.insertHandler(new SizeLimitHandler(RequestShape.MOST_BODY_WITH_FILES, -1));
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Handler next = getHandler();
    String path = request.getHttpURI().getPath();
    boolean larger = next != null && path != null && SENTENCES.matcher(path).matches();
    return larger && next != null
        ? next.handle(request, response, callback)
        : super.handle(request, response, callback);
  }
}
