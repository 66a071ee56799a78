package dev.switchboard.phone.carrier.twilio;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The fields of a form, with all values of each.
record FormFields(Map<String, List<String>> fields) {
  /// No fields.
  static final FormFields EMPTY = new FormFields(Map.of());

  private static final int MOST = 300;

  /// The fields of a body of `application/x-www-form-urlencoded`; null if it is invalid.
  static @Nullable FormFields parse(String body) {
    if (body.isEmpty()) {
      return EMPTY;
    }
    String[] pairs = body.split("&", MOST + 1);
    if (pairs.length > MOST) {
      return null;
    }
    Map<String, List<String>> fields = new TreeMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      String name = equals <= 0 ? null : decoded(pair.substring(0, equals));
      String value = equals <= 0 ? null : decoded(pair.substring(equals + 1));
      if (name == null || value == null) {
        return null;
      }
      fields.computeIfAbsent(name, any -> new ArrayList<>(1)).add(value);
    }
    return new FormFields(fields);
  }

  private static @Nullable String decoded(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int octet = octet(text, i + 1);
        if (octet < 0) {
          return null;
        }
        bytes.write(octet);
        i += 2;
      } else if (c > ' ' && c < 0x7f) {
        bytes.write(c == '+' ? ' ' : c);
      } else {
        return null;
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /// The two hexadecimal digits at that index, -1 for none.
  private static int octet(String text, int at) {
    if (at + 2 > text.length()) {
      return -1;
    }
    char high = text.charAt(at);
    char low = text.charAt(at + 1);
    return HexFormat.isHexDigit(high) && HexFormat.isHexDigit(low)
        ? HexFormat.fromHexDigits(text, at, at + 2)
        : -1;
  }

  /// The single value of a field; null if there is none, or more than one.
  @Nullable String single(String name) {
    List<String> values = fields.getOrDefault(name, List.of());
    return values.size() == 1 ? values.getFirst() : null;
  }
}
