package dev.switchboard.check;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The checked formats, as JSON Schema and the standards define them.
enum TextFormat {
  DATE("date"),
  TIME("time"),
  DATE_TIME("date-time"),
  DURATION("duration"),
  EMAIL("email"),
  URI("uri"),
  UUID("uuid"),
  IPV4("ipv4"),
  IPV6("ipv6");

  /// What JSON Schema and OpenAPI define and nothing here checks.
  private static final List<String> UNCHECKED =
      List.of(
          "hostname",
          "idn-hostname",
          "idn-email",
          "uri-reference",
          "iri",
          "iri-reference",
          "uri-template",
          "json-pointer",
          "relative-json-pointer",
          "regex",
          "int32",
          "int64",
          "float",
          "double",
          "byte",
          "binary",
          "password");

  private final String word;

  TextFormat(String word) {
    this.word = word;
  }

  /// The format of that name, or null if it is not checked.
  static @Nullable TextFormat of(String word) {
    for (TextFormat format : values()) {
      if (format.word.equals(word)) {
        return format;
      }
    }
    return null;
  }

  String word() {
    return word;
  }

  /// Whether a standard defines the format, whether or not it is checked.
  static boolean isKnown(String word) {
    return of(word) != null || UNCHECKED.contains(word);
  }

  /// The names of the checked formats.
  static List<String> checked() {
    return Stream.of(values()).map(TextFormat::word).toList();
  }

  /// The names of the defined formats.
  static List<String> known() {
    return Stream.concat(checked().stream(), UNCHECKED.stream()).toList();
  }

  boolean holds(String text) {
    return switch (this) {
      case DATE -> Times.date(text) != null;
      case TIME -> Times.isOffsetTime(text);
      case DATE_TIME -> Times.instant(text) != null;
      case DURATION -> Times.isDuration(text);
      case EMAIL -> Addresses.isEmail(text);
      case URI -> uri(text) != null;
      case UUID -> uuid(text) != null;
      case IPV4 -> Addresses.isIpv4(text);
      case IPV6 -> Addresses.ipv6(text) != null;
    };
  }

  /// The absolute URI of the text, or null.
  static @Nullable URI uri(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 128) {
        return null;
      }
    }
    try {
      URI uri = new URI(text);
      String authority = uri.getRawAuthority();
      boolean good = authority == null || Addresses.isAuthority(authority);
      return uri.isAbsolute() && good ? uri : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /// The UUID of the text, in 36 characters, or null.
  static java.util.@Nullable UUID uuid(String text) {
    if (text.length() != 36) {
      return null;
    }
    for (int i = 0; i < 36; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? text.charAt(i) != '-' : !hexadecimal(text.charAt(i))) {
        return null;
      }
    }
    return java.util.UUID.fromString(text);
  }

  static boolean hexadecimal(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }
}
