package dev.switchboard.check;

import dev.switchboard.json.Codec;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The member `request_heartbeat` that some models add to every call.
final class Heartbeat {
  static final String NAME = "request_heartbeat";

  private Heartbeat() {}

  /// The text without that member, if it occurs once at the root and is a boolean; otherwise the
  /// text itself.
  static String takenOut(String text) {
    if (!text.contains(NAME)) {
      return text;
    }
    try (JsonParser parser = Codec.parser(text)) {
      return takenOut(text, parser);
    } catch (JacksonException e) {
      return text;
    }
  }

  private static String takenOut(String text, JsonParser parser) {
    int from = -1;
    int to = -1;
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return text;
    }
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      if (!name.equals(NAME)) {
        parser.nextToken();
        parser.skipChildren();
        continue;
      }
      boolean second = from >= 0;
      from = (int) parser.currentTokenLocation().getCharOffset();
      JsonToken value = parser.nextToken();
      if (second || (value != JsonToken.VALUE_TRUE && value != JsonToken.VALUE_FALSE)) {
        return text;
      }
      to =
          (int) parser.currentTokenLocation().getCharOffset()
              + (value == JsonToken.VALUE_TRUE ? 4 : 5);
    }
    return from < 0 ? text : without(text, from, to);
  }

  /// The text without the member and one adjacent comma.
  private static String without(String text, int from, int to) {
    int after = pastSpace(text, to);
    if (text.charAt(after) == ',') {
      return text.substring(0, from) + text.substring(pastSpace(text, after + 1));
    }
    int before = text.substring(0, from).stripTrailing().length();
    boolean comma = text.charAt(before - 1) == ',';
    return text.substring(0, comma ? before - 1 : from) + text.substring(to);
  }

  private static int pastSpace(String text, int from) {
    int at = from;
    while (Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at;
  }
}
