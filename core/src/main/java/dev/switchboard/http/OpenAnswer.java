package dev.switchboard.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/// What comes back for an [HttpRequest], its body to be read as it comes.
///
/// For one thread at a time. Closing it before its end closes the connection, which tells the
/// server that no more is wanted.
public final class OpenAnswer implements AutoCloseable {
  private final Response response;
  private final Call call;
  private boolean complete;

  /// @param call the one that it answers
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

  /// The header `Retry-After`, as it came; null for none.
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
  /// @param limit how many bytes there may be
  /// @throws ResponseTooLargeException when there are more
  /// @throws IOException when the answer breaks off
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
  /// @param most how many bytes of it
  /// @throws IOException when the answer breaks off
  public String beginning(long most) throws IOException {
    BufferedSource source = response.body().source();
    complete = !source.request(most + 1);
    return source.readString(Math.min(source.getBuffer().size(), most), StandardCharsets.UTF_8);
  }

  /// The events of the body.
  ///
  /// @param limit how many bytes each may have
  public ServerEvents events(long limit) {
    return new ServerEvents(response.body().source(), limit);
  }

  /// Says that what was wanted is read: if the server ends the answer now, the connection is kept.
  public void release() {
    complete = true;
  }

  @Override
  public void close() {
    if (!complete) {
      // Closing a response reads on for a while to save its connection: not one that may never end.
      call.cancel();
    }
    response.close();
  }
}
