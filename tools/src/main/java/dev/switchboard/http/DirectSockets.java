package dev.switchboard.http;

import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import javax.net.SocketFactory;
import okhttp3.Authenticator;
import okhttp3.CookieJar;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;

/// Creates sockets that ignore all proxy settings of this JVM, including SOCKS, and that are closed
/// when their request is cancelled. They send without delay: otherwise audio of 20 ms would wait
/// for the acknowledgment of earlier data.
public final class DirectSockets extends SocketFactory {
  /// The only instance.
  public static final DirectSockets INSTANCE = new DirectSockets();

  private DirectSockets() {}

  /// A builder of clients without automatic behavior: one request per connection, so that
  /// cancelling ends it, no proxy, redirects, retries, logins, cookies or cache.
  public static OkHttpClient.Builder client() {
    return new OkHttpClient.Builder()
        .proxy(Proxy.NO_PROXY)
        .socketFactory(INSTANCE)
        .protocols(List.of(Protocol.HTTP_1_1))
        .followRedirects(false)
        .followSslRedirects(false)
        .retryOnConnectionFailure(false)
        .authenticator(Authenticator.NONE)
        .cookieJar(CookieJar.NO_COOKIES)
        .cache(null);
  }

  @Override
  public Socket createSocket() throws SocketException {
    CountedSocket socket = new CountedSocket();
    socket.setTcpNoDelay(true);
    PendingConnection opening = PendingConnection.current();
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
