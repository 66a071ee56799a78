package dev.switchboard.http;

import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/// Sockets that no proxy setting of this JVM, SOCKS neither, sends elsewhere, and that are closed
/// when the request they are made for is cancelled.
public final class DirectSockets extends SocketFactory {
  /// The one there is.
  public static final DirectSockets INSTANCE = new DirectSockets();

  private DirectSockets() {}

  @Override
  public Socket createSocket() {
    CountedSocket socket = new CountedSocket();
    Opening opening = Opening.current();
    if (opening != null) {
      opening.connecting(socket);
    }
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw unconnectedOnly();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw unconnectedOnly();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw unconnectedOnly();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
    throw unconnectedOnly();
  }

  private static UnsupportedOperationException unconnectedOnly() {
    return new UnsupportedOperationException("makes unconnected sockets only");
  }
}
