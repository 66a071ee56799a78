package dev.switchboard.mcp.oauth;

import dev.switchboard.webhook.UrlGuard;
import dev.switchboard.webhook.UrlGuard.Verdict;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A URL that the guard allows and that may carry secrets: `https`, or on this machine.
///
/// @param text unchanged
/// @param origin scheme, host and port, in lower case, without a default port
/// @param path empty, or beginning with a slash
/// @param query null for none
/// @param loopback whether it is on this machine
record WebAddress(
    String text, String origin, String path, @Nullable String query, boolean loopback) {
  private static final int LONGEST = 2048;

  /// @throws IllegalArgumentException with a clause, when the URL is not allowed
  static WebAddress read(String text, UrlGuard guard) {
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException("the URL is longer than " + LONGEST + " characters");
    }
    return switch (guard.check(text)) {
      case Verdict.Blocked blocked -> throw new IllegalArgumentException(blocked.reason());
      case Verdict.Allowed allowed -> read(text, allowed);
    };
  }

  private static WebAddress read(String text, Verdict.Allowed allowed) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("the URL holds characters that it may not");
    }
    if (url.getRawFragment() != null) {
      throw new IllegalArgumentException("the URL has a fragment");
    }
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    boolean loopback =
        allowed.host().equals("localhost")
            || (!allowed.addresses().isEmpty()
                && allowed.addresses().getFirst().isLoopbackAddress());
    if (!scheme.equals("https") && !loopback) {
      throw new IllegalArgumentException("only https URLs are used, and http on this machine");
    }
    String path = url.getRawPath();
    return new WebAddress(
        text, origin(scheme, allowed), path == null ? "" : path, url.getRawQuery(), loopback);
  }

  private static String origin(String scheme, Verdict.Allowed allowed) {
    String host = allowed.host().contains(":") ? '[' + allowed.host() + ']' : allowed.host();
    boolean usual = allowed.port() == (scheme.equals("https") ? 443 : 80);
    return scheme + "://" + host + (usual ? "" : ":" + allowed.port());
  }

  /// The URL as a resource identifier, without a lone slash.
  String canonical() {
    return origin + (path.equals("/") ? "" : path) + (query == null ? "" : "?" + query);
  }

  /// The path without a slash at its end; empty for the root.
  String folder() {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /// Whether that URL is this one or below it, so that a token for this one may be sent there.
  boolean covers(WebAddress other) {
    if (query != null) {
      return canonical().equals(other.canonical());
    }
    return origin.equals(other.origin) && (other.folder() + '/').startsWith(folder() + '/');
  }
}
