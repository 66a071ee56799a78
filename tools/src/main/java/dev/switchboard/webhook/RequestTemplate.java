package dev.switchboard.webhook;

import dev.switchboard.http.Cancelling;
import dev.switchboard.http.OnceBody;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/// A template for requests to one URL, checked once.
///
/// @param network the client that may connect there
/// @param judged what the guard decided about the URL
/// @param onFreshConnection whether each request has its own connection
/// @param common a request without a body
record RequestTemplate(
    GuardedHttp network, AllowedUrl judged, boolean onFreshConnection, Request common) {
  // Of OkHttp.
  private static final Set<String> NEEDS_BODY =
      Set.of("POST", "PUT", "PATCH", "PROPPATCH", "QUERY", "REPORT");

  /// @param http the URL as the client reads it
  static RequestTemplate of(
      GuardedHttp network,
      boolean onFreshConnection,
      AllowedUrl judged,
      HttpUrl http,
      Map<String, String> headers) {
    Request.Builder common =
        new Request.Builder()
            .url(http)
            .header("Content-Type", "application/json")
            .header("User-Agent", "switchboard");
    headers.forEach(common::header);
    return new RequestTemplate(network, judged, onFreshConnection, common.build());
  }

  /// A request to be sent once.
  ///
  /// @param body null for none
  /// @param more headers of this request only
  Call call(String method, @Nullable String body, Map<String, String> more) {
    // Not tagged before: the first tag makes Kotlin search all jars, which checks of files can do
    // without.
    Request.Builder request = Cancelling.prepare(common.newBuilder()).tag(AllowedUrl.class, judged);
    more.forEach(request::header);
    if (body == null) {
      request.removeHeader("Content-Type");
    }
    boolean empty = body == null && NEEDS_BODY.contains(method);
    String written = empty ? "" : body;
    OnceBody sent = written == null ? null : new OnceBody(written.getBytes(StandardCharsets.UTF_8));
    return network
        .client(judged.inner(), onFreshConnection)
        .newCall(request.method(method, sent).build());
  }
}
