package dev.switchboard.webhook;

import java.util.Locale;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

/// A URL that is parsed once, so that the client connects to what the guard has checked.
///
/// @param scheme `http` or `https`
/// @param rest path and query, unchanged, beginning with a slash
record CanonicalUrl(String scheme, Host host, int port, String rest) {
  private static final int MAX_PORT = 65_535;
  private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

  /// @throws UrlRefusedException when the text is not a URL that may be opened
  static CanonicalUrl read(String url) {
    checkCharacters(url);
    int colon = url.indexOf(':');
    String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new UrlRefusedException("only http and https URLs are opened");
    }
    if (!url.startsWith("//", colon + 1)) {
      throw new UrlRefusedException("the URL has no host");
    }
    int start = colon + 3;
    int end = start;
    while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    String authority = url.substring(start, end);
    if (authority.indexOf('@') >= 0) {
      throw new UrlRefusedException("the URL holds user info");
    }
    int portColon = authority.lastIndexOf(':');
    boolean hasPort = portColon > authority.lastIndexOf(']');
    Host host = Host.read(hasPort ? authority.substring(0, portColon) : authority);
    int port = hasPort ? port(authority.substring(portColon + 1), scheme) : defaultPort(scheme);
    return new CanonicalUrl(scheme, host, port, rest(url.substring(end)));
  }

  /// `host:port`, as an allow list names it.
  String hostAndPort() {
    return host.inUrl() + ":" + port;
  }

  /// The URL for the client, which must parse it to the same host and port.
  ///
  /// @throws UrlRefusedException when it does not
  HttpUrl toHttpUrl() {
    HttpUrl url = HttpUrl.parse(scheme + "://" + hostAndPort() + rest);
    if (url == null
        || !url.host().equals(host.text())
        || url.port() != port
        || !url.scheme().equals(scheme)) {
      throw new UrlRefusedException("the URL can be read in two ways");
    }
    return url;
  }

  private static void checkCharacters(String url) {
    for (int i = 0; i < url.length(); i++) {
      char c = url.charAt(i);
      if (c == '\\') {
        throw new UrlRefusedException("the URL holds a backslash");
      }
      if (c == ' ' || Character.isISOControl(c)) {
        throw new UrlRefusedException("the URL holds a space or a control character");
      }
    }
  }

  private static int defaultPort(String scheme) {
    return scheme.equals("https") ? 443 : 80;
  }

  private static int port(String digits, String scheme) {
    if (digits.isEmpty()) {
      return defaultPort(scheme);
    }
    int port = PORT.matcher(digits).matches() ? Integer.parseInt(digits) : 0;
    if (port < 1 || port > MAX_PORT) {
      throw new UrlRefusedException("the port is not a number from 1 to " + MAX_PORT);
    }
    return port;
  }

  private static String rest(String tail) {
    int fragment = tail.indexOf('#');
    String rest = fragment < 0 ? tail : tail.substring(0, fragment);
    return rest.startsWith("/") ? rest : "/" + rest;
  }
}
