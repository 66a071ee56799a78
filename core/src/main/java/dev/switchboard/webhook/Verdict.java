package dev.switchboard.webhook;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the guard says about a URL.
public sealed interface Verdict {
  /// The URL may be opened.
  ///
  /// @param host the canonical host, an IPv6 address without brackets
  /// @param addresses the address written in the URL, or those its name was looked up to; empty
  ///   where nothing was looked up
  record Allowed(String host, int port, List<InetAddress> addresses) implements Verdict {
    public Allowed {
      addresses = List.copyOf(addresses);
    }
  }

  /// The URL must not be opened.
  ///
  /// @param host the canonical host, null where the URL has none that can be read
  /// @param reason a clause such as `127.0.0.1 is loopback (127.0.0.0/8)`
  record Blocked(@Nullable String host, String reason) implements Verdict {}
}
