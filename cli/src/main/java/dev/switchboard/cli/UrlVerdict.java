package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.webhook.UrlGuard;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the guard says of a URL, to be shown.
///
/// @param reason why it is blocked, null where it is not
/// @param host null where the URL has none that can be read
record UrlVerdict(
    String url,
    boolean allowed,
    @Nullable String reason,
    @Nullable String host,
    List<InetAddress> addresses) {

  static UrlVerdict of(String url, UrlGuard.Verdict verdict) {
    return switch (verdict) {
      case UrlGuard.Verdict.Allowed(String host, int port, List<InetAddress> addresses) ->
          new UrlVerdict(url, true, null, host, addresses);
      case UrlGuard.Verdict.Blocked(String host, String reason) ->
          new UrlVerdict(url, false, reason, host, List.of());
    };
  }

  /// `{url, allowed, reason, host, addresses}`; what there is none of is left out.
  Json json() {
    ObjectNode out = Codec.object().put("url", url).put("allowed", allowed);
    if (reason != null) {
      out.put("reason", reason);
    }
    if (host != null) {
      out.put("host", host);
    }
    ArrayNode list = out.putArray("addresses");
    addresses.forEach(address -> list.add(address.getHostAddress()));
    return Json.of(out);
  }

  /// A line such as `blocked http://127.0.0.1/: 127.0.0.1 is loopback (127.0.0.0/8)`.
  @Override
  public String toString() {
    String found =
        addresses.isEmpty()
            ? ""
            : " -> "
                + String.join(", ", addresses.stream().map(InetAddress::getHostAddress).toList());
    return allowed ? "allowed  " + url + found : "blocked  " + url + ": " + reason;
  }
}
