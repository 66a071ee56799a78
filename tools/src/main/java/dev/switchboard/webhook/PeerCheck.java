package dev.switchboard.webhook;

import dev.switchboard.http.CountedSocket;
import dev.switchboard.http.PendingConnection;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Checks the address of the connected socket before a request is written, and that no response
/// arrived before the request.
///
/// Thread-safe.
final class PeerCheck implements Interceptor {
  // The socket below each connection.
  private final Map<Connection, CountedSocket> sockets =
      Collections.synchronizedMap(new WeakHashMap<>());

  /// Data that the server sent before the request. It must not become the response to another
  /// request.
  static final class Unasked extends IOException {
    @Serial private static final long serialVersionUID = 1;

    /// Whether the request was written.
    final transient boolean sent;

    Unasked(boolean sent) {
      super("the server had sent something that was not asked for");
      this.sent = sent;
    }
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    PendingConnection opening = PendingConnection.current();
    CountedSocket connected = opening == null ? null : opening.connected();
    Connection connection = chain.connection();
    InetAddress peer = connection == null ? null : connection.socket().getInetAddress();
    String refusal = refusal(chain.request().tag(AllowedUrl.class), peer);
    if (refusal != null) {
      chain.call().cancel();
      throw new UrlGuard.BlockedException(refusal);
    }
    if (connection != null && connected != null) {
      sockets.put(connection, connected);
    }
    CountedSocket socket = connection == null ? null : sockets.get(connection);
    return socket == null
        ? chain.proceed(chain.request())
        : asked(chain, socket, connected == null);
  }

  private static Response asked(Chain chain, CountedSocket socket, boolean kept)
      throws IOException {
    if (kept && socket.hasUnread()) {
      chain.call().cancel();
      throw new Unasked(false);
    }
    long before = socket.reads();
    Response response = chain.proceed(chain.request());
    if (socket.reads() == before) {
      chain.call().cancel();
      response.close();
      throw new Unasked(true);
    }
    return response;
  }

  private static @Nullable String refusal(@Nullable AllowedUrl judged, @Nullable InetAddress peer) {
    if (judged == null || peer == null) {
      return "the connection is to an unknown address";
    }
    if (judged.url().host() instanceof Host.Literal literal && !literal.isAt(peer)) {
      return "the connection is to another address than the URL's";
    }
    String refusal = judged.inner() ? null : UrlGuard.refusal(peer);
    return refusal == null ? null : "the connection is to an address that is refused: " + refusal;
  }
}
