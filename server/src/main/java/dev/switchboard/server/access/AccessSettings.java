package dev.switchboard.server.access;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The address and limits of a server.
///
/// @param host the name or address to listen on; `0.0.0.0` or `::` for every address
/// @param publicUrl its URL for browsers, if it is behind a proxy: a scheme, a host and an optional
///   port
/// @param trustedProxies addresses, or ranges such as `10.0.0.0/8`, whose `X-Forwarded-For` is
///   trusted
/// @param otherOrigins the origins of other sites' pages that may use the server with a token, such
///   as `https://app.example.com`
/// @param burst how many requests a principal may send at once
/// @param perSecond how many more per second
public record AccessSettings(
    String host,
    @Nullable URI publicUrl,
    List<String> trustedProxies,
    List<String> otherOrigins,
    int burst,
    int perSecond) {
  private static final int BURST = 300;
  private static final int PER_SECOND = 100;

  /// @throws IllegalArgumentException when the URL has another form, an address is invalid, or a
  ///   limit is not positive
  public AccessSettings {
    trustedProxies = List.copyOf(trustedProxies);
    otherOrigins = List.copyOf(otherOrigins);
    for (String origin : otherOrigins) {
      if (!OtherOrigins.isOrigin(origin)) {
        throw new IllegalArgumentException(
            "an allowed origin must be one such as https://app.example.com, as browsers send it,"
                + " and"
                + " '%s' is not".formatted(origin));
      }
    }
    if (publicUrl != null && !isOrigin(publicUrl)) {
      throw new IllegalArgumentException(
          "the public URL must be one such as https://agents.example.com, without a path");
    }
    if (burst < 1 || perSecond < 1) {
      throw new IllegalArgumentException("a limit of requests must be at least 1");
    }
    new ClientAddress(trustedProxies);
  }

  /// A server on that host, for browsers on this machine, without a proxy.
  public static AccessSettings of(String host) {
    return new AccessSettings(host, null, List.of(), List.of(), BURST, PER_SECOND);
  }

  /// These settings with another host.
  public AccessSettings withHost(String other) {
    return new AccessSettings(other, publicUrl, trustedProxies, otherOrigins, burst, perSecond);
  }

  /// These settings with another public URL.
  public AccessSettings withPublicUrl(@Nullable URI url) {
    return new AccessSettings(host, url, trustedProxies, otherOrigins, burst, perSecond);
  }

  /// These settings with other proxies.
  public AccessSettings withTrustedProxies(List<String> proxies) {
    return new AccessSettings(host, publicUrl, proxies, otherOrigins, burst, perSecond);
  }

  /// These settings with pages of those origins.
  public AccessSettings withOtherOrigins(List<String> origins) {
    return new AccessSettings(host, publicUrl, trustedProxies, origins, burst, perSecond);
  }

  /// These settings with another rate limit.
  public AccessSettings withRate(int atOnce, int aSecond) {
    return new AccessSettings(host, publicUrl, trustedProxies, otherOrigins, atOnce, aSecond);
  }

  private static boolean isOrigin(URI url) {
    String path = url.getRawPath();
    return ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
        && url.getHost() != null
        && url.getRawUserInfo() == null
        && url.getRawQuery() == null
        && url.getRawFragment() == null
        && (path == null || path.isEmpty() || path.equals("/"));
  }
}
