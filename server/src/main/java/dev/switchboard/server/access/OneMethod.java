package dev.switchboard.server.access;

import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Removes the headers by which a request could count as one of another method, so that the check
/// of a request and its route read the same method.
final class OneMethod extends Handler.Wrapper {
  private static final List<String> OVERRIDES =
      List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override");

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    HttpFields headers = request.getHeaders();
    if (OVERRIDES.stream().noneMatch(headers::contains)) {
      return super.handle(request, response, callback);
    }
    HttpFields.Mutable plain = HttpFields.build(headers);
    OVERRIDES.forEach(plain::remove);
    HttpFields read = plain.asImmutable();
    Request.Wrapper one =
        new Request.Wrapper(request) {
          @Override
          public HttpFields getHeaders() {
            return read;
          }
        };
    return super.handle(one, response, callback);
  }
}
