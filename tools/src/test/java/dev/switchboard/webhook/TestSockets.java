package dev.switchboard.webhook;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/// Sockets that remember where they were to connect and how much was read from them, and that
/// connect to loopback only.
final class TestSockets extends SocketFactory {
  private static final InetAddress LOOPBACK = IpAddress.v4(0x7f000001).toInetAddress();

  final List<InetSocketAddress> asked = new CopyOnWriteArrayList<>();
  final AtomicLong bytesRead = new AtomicLong();

  @Override
  public Socket createSocket() {
    return new Socket(Proxy.NO_PROXY) {
      @Override
      public void connect(SocketAddress endpoint, int timeout) throws IOException {
        InetSocketAddress address = (InetSocketAddress) endpoint;
        asked.add(address);
        boolean loopback = address.getAddress().isLoopbackAddress();
        super.connect(
            loopback ? address : new InetSocketAddress(LOOPBACK, address.getPort()), timeout);
      }

      @Override
      public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            bytesRead.addAndGet(Math.max(count, 0));
            return count;
          }
        };
      }
    };
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
    throw new UnsupportedOperationException();
  }
}
