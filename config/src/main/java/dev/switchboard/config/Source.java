package dev.switchboard.config;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.JsonPointer;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// A text read into a tree, with the position of every value; TOML and JSON give the same tree.
///
/// @param file its name in faults
/// @param positions by JSON pointer
/// @param faults receives its faults
record Source(String file, JsonNode tree, Map<String, Position> positions, FaultList faults) {

  /// A line and a column of a text, both from 1.
  record Position(int line, int column) {
    static final Position START = new Position(1, 1);

    private static Position of(TokenStreamLocation at) {
      return new Position(Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
    }
  }

  /// The text of a JSON file as a tree. If it is not JSON, null as its only value, at the position
  /// of the syntax error.
  static Source ofJson(String file, String text, FaultList faults) {
    try {
      return new Source(file, Json.text(text).tree(), positions(text), faults);
    } catch (JsonException e) {
      Position broken =
          e.getCause() instanceof JacksonException cause
              ? Position.of(cause.getLocation())
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
            Position.of(parser.currentTokenLocation()));
      }
    }
    return positions;
  }

  /// The JSON pointer (RFC 6901) of a member of the value at that pointer.
  static String below(String pointer, String key) {
    return pointer + "/" + JsonPointer.step(key);
  }

  /// The whole value, with that path for messages.
  Value root(String path) {
    return new Value(this, "", path, tree);
  }

  /// The position of the value at that pointer, or of the closest enclosing value that has one.
  Position at(String pointer) {
    String nearest = pointer;
    while (!nearest.isEmpty() && !positions.containsKey(nearest)) {
      nearest = nearest.substring(0, nearest.lastIndexOf('/'));
    }
    return positions.getOrDefault(nearest, Position.START);
  }
}
