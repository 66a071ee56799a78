package dev.switchboard.config;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.node.JsonNodeFactory;

/// The reading of JSON into a [Source].
final class JsonSource {
  private JsonSource() {}

  /// The text as a tree; null if it is not JSON, reported where the syntax breaks.
  static Source read(String file, String text, Faults faults) {
    Json json = Json.text(text);
    try {
      return new Source(file, json.tree(), positions(text), faults);
    } catch (JsonException e) {
      Position broken =
          e.getCause() instanceof JacksonException cause
              ? position(cause.getLocation())
              : Position.START;
      return new Source(file, JsonNodeFactory.instance.nullNode(), Map.of("", broken), faults);
    }
  }

  private static Map<String, Position> positions(String text) {
    Map<String, Position> positions = new HashMap<>();
    try (JsonParser parser = Codec.parser(text)) {
      while (parser.nextToken() != null) {
        positions.putIfAbsent(
            parser.streamReadContext().pathAsPointer().toString(),
            position(parser.currentTokenLocation()));
      }
    }
    return positions;
  }

  private static Position position(TokenStreamLocation at) {
    return new Position(Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
  }
}
