package dev.switchboard.webhook;

import dev.switchboard.http.PendingConnection;
import java.io.Serial;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import okhttp3.Dns;

/// The DNS lookup before each new connection, which may use only the returned addresses.
///
/// @param checked whether every address must be public
record GuardedDns(UrlGuard.Resolver resolver, boolean checked) implements Dns {
  @Override
  public List<InetAddress> lookup(String host) throws UnknownHostException {
    PendingConnection opening = PendingConnection.current();
    List<InetAddress> answers =
        List.copyOf(
            opening == null
                ? resolver.resolve(host)
                : opening.lookUp(() -> resolver.resolve(host)));
    if (answers.isEmpty()) {
      throw new UnknownHostException(host + " has no address");
    }
    String refusal = checked ? UrlGuard.refusal(host, answers) : null;
    if (refusal != null) {
      throw new BlockedAnswer(refusal);
    }
    return answers;
  }

  /// Carries a refusal through a method that may only throw this type.
  static final class BlockedAnswer extends UnknownHostException {
    @Serial private static final long serialVersionUID = 1;

    BlockedAnswer(String reason) {
      super(reason);
    }
  }
}
