package dev.switchboard.server.access;

import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.Callback;

/// Refuses bodies that are too large; the limit is larger for a user's messages, which may have
/// files.
final class BodyLimit extends SizeLimitHandler {
  private static final Pattern SENTENCES =
      Pattern.compile(
          "/v1/agents/[^/]+/conversations|/v1/conversations/[^/]+/turns|/v1/chat/completions"
              + "|/(?:%s)/[^/]+".formatted(String.join("|", RequestShape.DIALECTS)));
  // Otherwise a client that still sends would lose the answer with the connection.
  private static final long MOST_PASSED_OVER = 4L * RequestShape.MOST_BODY_WITH_FILES;

  private final long most;
  private final boolean ofSentences;

  private BodyLimit(long most, boolean ofSentences) {
    super(most, -1);
    this.most = most;
    this.ofSentences = ofSentences;
  }

  static void install(Server server) {
    server.insertHandler(new BodyLimit(RequestShape.MOST_BODY, false));
    server.insertHandler(new BodyLimit(RequestShape.MOST_BODY_WITH_FILES, true));
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Handler next = getHandler();
    String path = request.getHttpURI().getPath();
    if (next != null && ofSentences != (path != null && SENTENCES.matcher(path).matches())) {
      return next.handle(request, response, callback);
    }
    long length = request.getLength();
    if (length <= most
        || length > MOST_PASSED_OVER
        || request.getHeaders().contains(HttpHeader.EXPECT)) {
      return super.handle(request, response, callback);
    }
    Content.Source.consumeAll(
        request,
        Callback.from(
            () ->
                Response.writeError(request, response, callback, HttpStatus.PAYLOAD_TOO_LARGE_413),
            callback::failed));
    return true;
  }
}
