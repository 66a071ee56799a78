package dev.switchboard.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A request, to be sent once.
///
/// @param method such as `GET`
/// @param headers beside those of the client; `Content-Type` is by default `application/json` if
///   there is a body
/// @param body null for none
/// @param responseLimit the maximum bytes of the decoded response body
/// @param onFreshConnection whether it needs a new connection: the server may just be closing an
///   idle one
public record HttpRequest(
    String method,
    String url,
    Map<String, String> headers,
    @Nullable String body,
    long responseLimit,
    boolean onFreshConnection) {
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Set<String> OURS =
      Set.of(
          "host",
          "connection",
          "content-length",
          "transfer-encoding",
          "accept-encoding",
          "expect",
          "keep-alive",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "upgrade");

  /// @throws IllegalArgumentException that names a header that is invalid or set by the client; its
  ///   value is not quoted
  public HttpRequest {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    headers.forEach(HttpRequest::checkHeader);
    if (responseLimit < 0) {
      throw new IllegalArgumentException("the limit of a response must not be negative");
    }
  }

  /// A POST request, which may use an idle connection.
  ///
  /// @throws IllegalArgumentException that names a header that is invalid or set by the client; its
  ///   value is not quoted
  public static HttpRequest post(
      String url, Map<String, String> headers, String body, long responseLimit) {
    return new HttpRequest("POST", url, headers, body, responseLimit, false);
  }

  /// Checks that a header may be sent.
  ///
  /// @throws IllegalArgumentException that names it, when it may not; its value is not quoted
  public static void checkHeader(String name, String value) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is not the name of an HTTP header");
    }
    if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException("header '" + name + "' is made by the client");
    }
    if (!value.chars().allMatch(c -> (c >= ' ' && c < 0x7f) || c == '\t')) {
      throw new IllegalArgumentException(
          "header '" + name + "' holds characters that no header may");
    }
  }
}
