package dev.switchboard.openapi;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The credentials of an operation, by their places in its requests. A model never sees them.
///
/// @param headers by name, in any letter case
/// @param query by name
record Security(Map<String, String> headers, Map<String, String> query) {
  private static final String AUTHORIZATION = "Authorization";

  /// The credentials of the first alternative that `auth` and the stated headers satisfy.
  ///
  /// @throws Unsupported that names the schemes, if there is none
  static Security of(
      OpenApiDocument.Stated operation, OpenApiDocument document, OpenApiSettings settings)
      throws Unsupported {
    JsonNode own = operation.operation().path("security");
    JsonNode alternatives = own.isArray() ? own : document.root().path("security");
    List<String> lacking = new ArrayList<>();
    boolean anonymous = alternatives.isEmpty();
    for (JsonNode alternative : alternatives) {
      Security security =
          new Security(new TreeMap<>(String.CASE_INSENSITIVE_ORDER), new LinkedHashMap<>());
      String lack = security.lack(alternative, document, settings);
      if (lack == null && !alternative.isEmpty()) {
        return security;
      }
      if (lack != null) {
        lacking.add(lack);
      }
      anonymous |= alternative.isEmpty();
    }
    if (anonymous) {
      return new Security(Map.of(), Map.of());
    }
    throw new Unsupported("asks for " + String.join(", or for ", lacking));
  }

  /// Adds the credentials of all schemes of that alternative; returns the missing one, or null.
  private @Nullable String lack(
      JsonNode alternative, OpenApiDocument document, OpenApiSettings settings) throws Unsupported {
    for (String name : alternative.propertyNames()) {
      JsonNode scheme = document.scheme(name);
      String value = settings.auth().get(name);
      String header = header(scheme);
      if (value != null) {
        if (!isTaken(scheme, header, value)) {
          return "auth." + name + ", a kind that is not known here: " + kind(scheme);
        }
      } else if (header == null || !settings.hasHeader(header)) {
        return "auth." + name + " (" + kind(scheme) + ")";
      }
    }
    return null;
  }

  /// Adds that credential; returns whether its kind is known.
  private boolean isTaken(JsonNode scheme, @Nullable String header, String value) {
    String place = scheme.path("in").asString("");
    if (header != null && scheme.path("type").asString("").equals("apiKey")) {
      String written =
          place.equals("cookie") ? scheme.path("name").asString("") + "=" + value : value;
      headers.merge(header, written, (one, other) -> one + "; " + other);
    } else if (header != null) {
      boolean basic = scheme.path("scheme").asString("").equalsIgnoreCase("basic");
      headers.put(header, basic ? prefixed("Basic ", encoded(value)) : prefixed("Bearer ", value));
    } else if (place.equals("query")) {
      query.put(scheme.path("name").asString(""), value);
    } else {
      return false;
    }
    return true;
  }

  /// The header that carries a scheme's credential; null if none does.
  private static @Nullable String header(JsonNode scheme) {
    return switch (scheme.path("type").asString("")) {
      case "oauth2", "openIdConnect" -> AUTHORIZATION;
      case "http" ->
          switch (scheme.path("scheme").asString("").toLowerCase(Locale.ROOT)) {
            case "bearer", "basic" -> AUTHORIZATION;
            default -> null;
          };
      case "apiKey" ->
          switch (scheme.path("in").asString("")) {
            case "header" -> scheme.path("name").asString("");
            case "cookie" -> "Cookie";
            default -> null;
          };
      default -> null;
    };
  }

  private static String kind(JsonNode scheme) {
    String kind = scheme.path("type").asString("not defined");
    String how = scheme.path(kind.equals("http") ? "scheme" : "in").asString("");
    return how.isEmpty() ? kind : kind + " " + how;
  }

  private static String prefixed(String prefix, String value) {
    return value.regionMatches(true, 0, prefix, 0, prefix.length()) ? value : prefix + value;
  }

  /// `user:password` in base64; a value without a colon is already encoded.
  private static String encoded(String value) {
    return value.contains(":")
        ? Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))
        : value;
  }

  /// The name of the class, since the values are secret.
  @Override
  public String toString() {
    return "Security";
  }

  /// Whether a parameter of that name would replace a credential.
  boolean covers(String place, String name) {
    return place.equals("header")
        ? headers.containsKey(name)
        : place.equals("query") && query.containsKey(name);
  }
}
