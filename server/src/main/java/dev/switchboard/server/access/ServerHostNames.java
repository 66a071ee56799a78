package dev.switchboard.server.access;

import io.javalin.http.Context;
import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The host names of a server. A page of another site whose name resolves to this machine (DNS
/// rebinding) sends that name as `Host`.
final class ServerHostNames {
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-f:.]{2,45}]|[a-z0-9._-]{1,253})(?::(\\d{1,5}))?");
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final String host;
  private final @Nullable String publicHost;
  private final @Nullable String publicOrigin;

  ServerHostNames(AccessSettings settings) {
    this.host = bracketed(settings.host().toLowerCase(Locale.ROOT));
    URI url = settings.publicUrl();
    this.publicHost = url == null ? null : String.valueOf(url.getHost()).toLowerCase(Locale.ROOT);
    this.publicOrigin = url == null ? null : origin(url);
  }

  /// In browsers' form: lower case, without the default port of the scheme.
  private static String origin(URI url) {
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    int usual = scheme.equals("https") ? 443 : 80;
    String port = url.getPort() < 0 || url.getPort() == usual ? "" : ":" + url.getPort();
    return scheme + "://" + String.valueOf(url.getHost()).toLowerCase(Locale.ROOT) + port;
  }

  /// Whether a `Host` header names this server.
  ///
  /// @param local the address of the connection, which DNS rebinding cannot send as a name
  boolean has(@Nullable String header, String local) {
    String name = name(header);
    return name != null
        && (LOOPBACK.contains(name)
            || name.equals(host) && !isEverywhere()
            || name.equals(publicHost)
            || isEverywhere() && isAddress(name, local));
  }

  private boolean isEverywhere() {
    return host.equals("0.0.0.0") || host.equals("[::]");
  }

  private static boolean isAddress(String name, String local) {
    InetAddress named = ClientAddress.literal(plain(name));
    return named != null && named.equals(ClientAddress.literal(plain(local).split("%", 2)[0]));
  }

  /// Whether an `Origin` header is that of this server's pages.
  ///
  /// @param header the `Host` header, which [#has] accepts
  boolean isOwn(@Nullable String origin, String header) {
    if (origin == null) {
      return false;
    }
    boolean isPublic = publicOrigin != null && String.valueOf(name(header)).equals(publicHost);
    // A proxy may have replaced the public host by the server's name in its network.
    return origin.equals(publicOrigin)
        || !isPublic && origin.equals("http://" + header.toLowerCase(Locale.ROOT));
  }

  /// Checks that a browser's request comes from a page of this server.
  ///
  /// @throws Problem `forbidden` when it comes from another
  void checkPage(Context ctx) {
    if (!isOwn(ctx.header("Origin"), String.valueOf(ctx.header("Host")))) {
      throw Problem.forbidden("The Origin header is not that of this server's pages.");
    }
  }

  /// Whether browsers reach the server over TLS, according to this request.
  boolean isSecure(String header, @Nullable String origin) {
    return publicOrigin != null
        && publicOrigin.startsWith("https:")
        && (String.valueOf(name(header)).equals(publicHost) || publicOrigin.equals(origin));
  }

  /// The port in a `Host` header, `80` if it has none.
  static String port(String header) {
    Matcher host = HOST.matcher(header.toLowerCase(Locale.ROOT));
    return host.matches() && host.group(2) != null ? host.group(2) : "80";
  }

  private static @Nullable String name(@Nullable String header) {
    Matcher host = HOST.matcher(header == null ? "" : header.toLowerCase(Locale.ROOT));
    return host.matches() ? host.group(1) : null;
  }

  private static String bracketed(String host) {
    return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
  }

  private static String plain(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
