package dev.switchboard.provider;

import java.io.IOException;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Source;

/// An answer of which no more is read than may be.
final class LimitedSource extends ForwardingSource {
  private long left;

  LimitedSource(Source source, long limit) {
    super(source);
    left = limit;
  }

  /// An answer that is longer.
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
