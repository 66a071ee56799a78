package dev.switchboard.http;

import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/// A body that the client sends only once. Otherwise it would retry by itself, such as for a `503`
/// with `Retry-After: 0`.
public final class OnceBody extends RequestBody {
  private final byte[] bytes;

  /// A body of these bytes.
  public OnceBody(byte[] bytes) {
    this.bytes = bytes;
  }

  /// None: the header is in the request.
  @Override
  public @Nullable MediaType contentType() {
    return null;
  }

  @Override
  public long contentLength() {
    return bytes.length;
  }

  @Override
  public boolean isOneShot() {
    return true;
  }

  @Override
  public void writeTo(BufferedSink sink) throws IOException {
    sink.write(bytes);
  }
}
