package dev.switchboard.mcp.client;

import dev.switchboard.json.Codec;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// The key of the request that a message answers, which cannot be read as a whole.
final class AnswerKey {
  private AnswerKey() {}

  /// The key in a message that is JSON; null if it has none, or answers nothing.
  static @Nullable String of(JsonNode message) {
    JsonNode id = message.path("id");
    boolean answers = !message.has("method") && (id.isString() || id.isIntegralNumber());
    return answers ? id.toString() : null;
  }

  /// The key in a text that is no JSON, or not all of it; null if none is found.
  static @Nullable String of(String text) {
    return of(Codec.parser(text));
  }

  /// The key in the message of that reader, of which no more is read than necessary.
  static @Nullable String of(JsonParser reader) {
    String key = null;
    try (JsonParser message = reader) {
      if (message.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      boolean answers = false;
      while (!(answers && key != null) && message.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = message.currentName();
        if (name.equals("method")) {
          return null; // a request of the server, which numbers its own
        }
        answers |= name.equals("result") || name.equals("error");
        if (answers && key != null) {
          return key;
        }
        JsonToken value = message.nextToken();
        key = name.equals("id") ? key(message, value) : key;
        message.skipChildren();
      }
      return key;
    } catch (JacksonException e) {
      return key;
    }
  }

  private static @Nullable String key(JsonParser message, JsonToken value) {
    return switch (value) {
      case VALUE_NUMBER_INT -> message.getString();
      case VALUE_STRING -> '"' + message.getString() + '"';
      default -> null;
    };
  }
}
