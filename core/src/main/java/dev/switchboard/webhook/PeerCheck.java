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
  private final UrlGuard guard;

  PeerCheck(UrlGuard guard) {
    this.guard = guard;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    CanonicalUrl url = chain.request().tag(CanonicalUrl.class);
    Connection connection = chain.connection();
    InetAddress peer = connection == null ? null : connection.socket().getInetAddress();
    String refusal = refusal(url, peer);
    if (refusal != null) {
      chain.call().cancel();
      throw new UrlBlockedException(refusal);
    }
    return chain.proceed(chain.request());
  }

  private @Nullable String refusal(@Nullable CanonicalUrl url, @Nullable InetAddress peer) {
    if (url == null || peer == null) {
      return "the connection is to an unknown address";
    }
    if (url.host() instanceof Host.Literal literal && !literal.isAt(peer)) {
      return "the connection is to another address than the URL's";
    }
    String refusal = guard.allows(url) ? null : UrlGuard.refusal(peer);
    return refusal == null ? null : "the connection is to an address that is refused: " + refusal;
  }
}
