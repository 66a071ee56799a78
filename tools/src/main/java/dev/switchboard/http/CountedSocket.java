package dev.switchboard.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.Socket;

/// A socket that ignores proxy settings and counts its reads. An answer that needs no read was
/// there before its request.
public final class CountedSocket extends Socket {
  private volatile long reads;

  /// A socket that is not connected yet.
  public CountedSocket() {
    super(Proxy.NO_PROXY);
  }

  /// The number of reads.
  public long reads() {
    return reads;
  }

  /// Whether data has arrived that was not read.
  public boolean hasUnread() throws IOException {
    return super.getInputStream().available() > 0;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new FilterInputStream(super.getInputStream()) {
      @Override
      public int read() throws IOException {
        int read = super.read();
        count();
        return read;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        count();
        return read;
      }
    };
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only one request reads at a time
  private void count() {
    reads++;
  }
}
