package dev.switchboard.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/// The response to an [HttpRequest], whose body is read as it arrives.
///
/// For one thread at a time. Closing it before its end closes the connection.
public final class OpenAnswer implements AutoCloseable {
  private final Response response;
  private final Call call;
  private boolean complete;

  /// @param call its request
  public OpenAnswer(Response response, Call call) {
    this.response = response;
    this.call = call;
  }

  /// The status, such as 200.
  public int status() {
    return response.code();
  }

  /// Whether the status is 2xx.
  public boolean successful() {
    return response.isSuccessful();
  }

  /// The first header of that name, in any letter case; null for none.
  public @Nullable String header(String name) {
    return response.headers().values(name).stream().findFirst().orElse(null);
  }

  /// The header `Retry-After`, unchanged; null for none.
  public @Nullable String retryAfter() {
    return HiddenRetryAfter.of(response);
  }

  /// Whether the body is a stream of server-sent events.
  public boolean hasEvents() {
    MediaType type = response.body().contentType();
    return type != null && type.subtype().equals("event-stream");
  }

  /// The body, as UTF-8.
  ///
  /// @param limit the maximum number of bytes
  /// @throws ResponseTooLargeException when there are more
  /// @throws IOException when the response breaks off
  public String text(long limit) throws IOException {
    BufferedSource source = response.body().source();
    if (response.body().contentLength() > limit || source.request(limit + 1)) {
      throw new ResponseTooLargeException(limit);
    }
    String text = source.readString(StandardCharsets.UTF_8);
    complete = true;
    return text;
  }

  /// The beginning of the body, as UTF-8.
  ///
  /// @param most the maximum number of bytes
  /// @throws IOException when the response breaks off
  public String beginning(long most) throws IOException {
    BufferedSource source = response.body().source();
    complete = !source.request(most + 1);
    return source.readString(Math.min(source.getBuffer().size(), most), StandardCharsets.UTF_8);
  }

  /// The events of the body.
  ///
  /// @param limit the maximum bytes of one event
  public ServerEvents events(long limit) {
    return new ServerEvents(response.body().source(), limit);
  }

  /// Ends reading; if the server ends the response now, the connection is reused.
  public void release() {
    complete = true;
  }

  @Override
  public void close() {
    if (!complete) {
      // Otherwise closing the response reads on for a while to reuse the connection, and this one
      // may never end.
      call.cancel();
    }
    response.close();
  }
}
