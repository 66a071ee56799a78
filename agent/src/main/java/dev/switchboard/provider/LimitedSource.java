package dev.switchboard.provider;

import java.io.IOException;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Source;

/// The body of an answer, read up to a limit.
final class LimitedSource extends ForwardingSource {
  private long left;

  LimitedSource(Source source, long limit) {
    super(source);
    left = limit;
  }

  /// The answer exceeds the limit.
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    TooLargeException() {
      super("too large");
    }
  }

  @Override
  public long read(Buffer sink, long byteCount) throws IOException {
    long read = super.read(sink, byteCount);
    left -= Math.max(read, 0);
    if (left < 0) {
      throw new TooLargeException();
    }
    return read;
  }
}
