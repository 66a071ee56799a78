package dev.switchboard.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/// The types of files in a user's message, detected by their first bytes.
final class MediaTypes {
  static final String PDF = "application/pdf";
  static final String TEXT = "text/plain";
  static final List<String> ALL =
      List.of("image/png", "image/jpeg", "image/gif", "image/webp", PDF, TEXT);

  private static final int LONGEST_NAME = 200;
  private static final int HEAD = 12;

  private MediaTypes() {}

  /// @throws IllegalArgumentException when this is not a file of that type, or too large
  static void check(String type, String data) {
    if (!ALL.contains(type)) {
      throw new IllegalArgumentException(
          "a file of type '%s' is not taken: use %s".formatted(shortened(type), all()));
    }
    if (data.length() > (Message.Attachment.MOST_BYTES + 2L) / 3 * 4) {
      throw tooLarge();
    }
    if (data.isEmpty() || data.length() % 4 != 0 || !isBase64(data)) {
      throw new IllegalArgumentException("a file must be Base64, with its padding, and not empty");
    }
    if (size(data) > Message.Attachment.MOST_BYTES) {
      throw tooLarge();
    }
    String found = of(Base64.getDecoder().decode(head(type, data)));
    if (!found.equals(type)) {
      throw new IllegalArgumentException(
          "a file is said to be of type %s, and its bytes are of type %s".formatted(type, found));
    }
  }

  private static IllegalArgumentException tooLarge() {
    return new IllegalArgumentException("a file has at most 5 MiB");
  }

  /// The bytes that determine the type; of a text all of them.
  private static String head(String type, String data) {
    int enough = (HEAD + 2) / 3 * 4;
    return type.equals(TEXT) || data.length() <= enough ? data : data.substring(0, enough);
  }

  private static boolean isBase64(String data) {
    int padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
    for (int i = 0; i < data.length() - padding; i++) {
      char c = data.charAt(i);
      boolean letter = c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
      if (!letter && c != '+' && c != '/') {
        return false;
      }
    }
    return true;
  }

  /// The type of a file with these bytes; the first ones are enough except for a text.
  ///
  /// @throws IllegalArgumentException when the type is not supported
  static String of(byte[] bytes) {
    String head = new String(bytes, 0, Math.min(bytes.length, HEAD), StandardCharsets.ISO_8859_1);
    if (head.startsWith("\u0089PNG\r\n\u001a\n")) {
      return "image/png";
    }
    if (head.startsWith("\u00ff\u00d8\u00ff")) {
      return "image/jpeg";
    }
    if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) {
      return "image/gif";
    }
    if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) {
      return "image/webp";
    }
    if (head.startsWith("%PDF-")) {
      return PDF;
    }
    if (isText(bytes)) {
      return TEXT;
    }
    throw new IllegalArgumentException("a file of unknown type is not taken: use " + all());
  }

  private static boolean isText(byte[] bytes) {
    try {
      CharSequence text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return !text.isEmpty()
          && text.chars()
              .allMatch(c -> c >= ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f');
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static String all() {
    return String.join(", ", ALL);
  }

  private static String shortened(String type) {
    String plain = plainName(type);
    return plain.length() > 40 ? plain.substring(0, 40) + "..." : plain;
  }

  /// The name without control characters, shortened if it is too long.
  static String plainName(String name) {
    StringBuilder plain = new StringBuilder();
    name.codePoints()
        .filter(c -> !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .limit(LONGEST_NAME)
        .forEach(plain::appendCodePoint);
    return plain.isEmpty() ? "file" : plain.toString();
  }

  static String encoded(byte[] bytes) {
    if (bytes.length > Message.Attachment.MOST_BYTES) {
      throw tooLarge();
    }
    return Base64.getEncoder().encodeToString(bytes);
  }

  static String text(String data) {
    return new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
  }

  static int size(String data) {
    int padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
    return data.length() / 4 * 3 - padding;
  }

  /// A size such as `900 bytes`, `12 kB` or `3.4 MB`.
  static String sizeInWords(int bytes) {
    if (bytes < 1000) {
      return bytes + " bytes";
    }
    return bytes < 1_000_000
        ? Math.round(bytes / 1000.0) + " kB"
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1_000_000.0);
  }
}
