package dev.switchboard.toml;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.JsonPointer;
import java.io.Serial;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// A text read into a tree, with the position of every value; TOML and JSON give the same tree.
///
/// @param positions by JSON pointer
public record TextTree(JsonNode tree, Map<String, Position> positions) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// A line and a column of a text, both from 1.
  public record Position(int line, int column) {
    private static final Position START = new Position(1, 1);

    private static Position of(TokenStreamLocation at) {
      return new Position(Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
    }

    private static Position of(@Nullable TomlPosition at) {
      return at == null ? START : new Position(at.line(), at.column());
    }
  }

  /// A date, a time or both. As JSON it is a string; as a value of a key it is not.
  private static final class DateNode extends StringNode {
    @Serial private static final long serialVersionUID = 1;

    private DateNode(String text) {
      super(text);
    }
  }

  /// The text of a JSON file as a tree. If it is not JSON, null as its only value, at the position
  /// of the syntax error.
  public static TextTree ofJson(String text) {
    try {
      return new TextTree(Json.text(text).tree(), positions(text));
    } catch (JsonException e) {
      Position broken =
          e.getCause() instanceof JacksonException cause
              ? Position.of(cause.getLocation())
              : Position.START;
      return new TextTree(NODES.nullNode(), Map.of("", broken));
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

  /// The text as a tree, or null if it is not TOML.
  ///
  /// @param faults receives the errors of syntax
  public static @Nullable TextTree ofToml(String text, BiConsumer<Position, String> faults) {
    TomlText parsed = TomlText.parse(text);
    for (TomlParseError error : parsed.errors()) {
      faults.accept(Position.of(error.position()), String.valueOf(error.getMessage()));
    }
    return parsed.errors().isEmpty() ? new TomlNodes(faults).tree(parsed.document()) : null;
  }

  /// Whether the value is a date or a time of TOML, which is not a string.
  public static boolean isDate(JsonNode value) {
    return value instanceof DateNode;
  }

  /// The JSON pointer (RFC 6901) of a member of the value at that pointer.
  public static String below(String pointer, String key) {
    return pointer + "/" + JsonPointer.step(key);
  }

  /// The position of the value at that pointer, or of the closest enclosing value that has one.
  public Position at(String pointer) {
    String nearest = pointer;
    while (!nearest.isEmpty() && !positions.containsKey(nearest)) {
      nearest = nearest.substring(0, nearest.lastIndexOf('/'));
    }
    return positions.getOrDefault(nearest, Position.START);
  }

  /// Makes the tree of a document.
  private static final class TomlNodes {
    private final Map<String, Position> positions = new HashMap<>();
    private final BiConsumer<Position, String> faults;
    private boolean faulty;

    private TomlNodes(BiConsumer<Position, String> faults) {
      this.faults = faults;
    }

    private @Nullable TextTree tree(TomlTable document) {
      JsonNode tree = table(document, "");
      return faulty ? null : new TextTree(tree, positions);
    }

    private ObjectNode table(TomlTable table, String pointer) {
      ObjectNode node = NODES.objectNode();
      for (String key : table.keySet()) {
        List<String> path = List.of(key);
        String below = below(pointer, key);
        positions.put(below, Position.of(table.inputPositionOf(path)));
        node.set(key, node(table.get(path), below));
      }
      return node;
    }

    private ArrayNode array(TomlArray array, String pointer) {
      ArrayNode node = NODES.arrayNode();
      for (int i = 0; i < array.size(); i++) {
        String below = pointer + "/" + i;
        positions.put(below, Position.of(array.inputPositionOf(i)));
        node.add(node(array.get(i), below));
      }
      return node;
    }

    private JsonNode node(@Nullable Object value, String pointer) {
      // Not a switch on types: it is linked at run time, which costs a command milliseconds at its
      // start.
      if (value instanceof TomlTable table) {
        return table(table, pointer);
      }
      if (value instanceof TomlArray array) {
        return array(array, pointer);
      }
      if (value instanceof String text) {
        return NODES.stringNode(text);
      }
      if (value instanceof Boolean flag) {
        return NODES.booleanNode(flag);
      }
      if (value instanceof Long number) {
        return NODES.numberNode(number);
      }
      if (value instanceof Double number) {
        return Double.isFinite(number) ? NODES.numberNode(number) : notFinite(pointer);
      }
      return new DateNode(String.valueOf(value));
    }

    private JsonNode notFinite(String pointer) {
      faulty = true;
      faults.accept(
          positions.getOrDefault(pointer, Position.START), "inf and nan are not numbers here");
      return NODES.numberNode(0);
    }
  }
}
