package dev.switchboard.http;

import java.io.IOException;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Hides the header `Retry-After` from the HTTP client, which otherwise retries a 503 with 0, and
/// fails at a large number.
public final class HiddenRetryAfter implements Interceptor {
  /// The only instance, a network interceptor.
  public static final HiddenRetryAfter INSTANCE = new HiddenRetryAfter();

  private static final String NAME = "Retry-After";
  private static final String HIDDEN = "Switchboard-Retry-After";

  private HiddenRetryAfter() {}

  @Override
  public Response intercept(Chain chain) throws IOException {
    Response response = chain.proceed(chain.request());
    String value = response.header(NAME);
    if (value == null && response.header(HIDDEN) == null) {
      return response;
    }
    Response.Builder hidden = response.newBuilder().removeHeader(NAME).removeHeader(HIDDEN);
    return (value == null ? hidden : hidden.header(HIDDEN, value)).build();
  }

  /// The header, unchanged.
  public static @Nullable String of(Response response) {
    return response.header(HIDDEN);
  }
}
