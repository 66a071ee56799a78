package dev.switchboard.check;

import tools.jackson.databind.JsonNode;

/// The value at a place, in a few words that are safe to show.
final class ValueText {
  private static final int MOST_CHARACTERS = 40;

  private ValueText() {}

  /// For example `string "4"`, `number 4.7`, `object`.
  static String of(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "string " + quoted(value.stringValue());
      case NUMBER -> "number " + cut(value.toString());
      case BOOLEAN -> "boolean " + value.booleanValue();
      case ARRAY -> "array";
      case OBJECT -> "object";
      case NULL -> "null";
      case MISSING, BINARY, POJO -> "nothing";
    };
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    String shown = cut(text);
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  private static String cut(String text) {
    if (text.length() <= MOST_CHARACTERS) {
      return text;
    }
    int end =
        Character.isHighSurrogate(text.charAt(MOST_CHARACTERS - 1))
            ? MOST_CHARACTERS - 1
            : MOST_CHARACTERS;
    return text.substring(0, end) + "…";
  }
}
