package dev.switchboard.webhook;

import java.io.IOException;
import java.net.InetAddress;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// The last look before a request is written: at the address that the socket is really connected
/// to.
final class PeerCheck implements Interceptor {
  static final PeerCheck INSTANCE = new PeerCheck();

  private PeerCheck() {}

  @Override
  public Response intercept(Chain chain) throws IOException {
    Opening opening = Opening.current();
    if (opening != null) {
      opening.connected();
    }
    Judged judged = chain.request().tag(Judged.class);
    Connection connection = chain.connection();
    InetAddress peer = connection == null ? null : connection.socket().getInetAddress();
    String refusal = refusal(judged, peer);
    if (refusal != null) {
      chain.call().cancel();
      throw new UrlBlockedException(refusal);
    }
    return chain.proceed(chain.request());
  }

  private static @Nullable String refusal(@Nullable Judged judged, @Nullable InetAddress peer) {
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
