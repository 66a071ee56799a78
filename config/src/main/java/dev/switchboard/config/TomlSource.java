package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.toml.TextFile;
import dev.switchboard.toml.TomlText;
import java.io.Serial;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Reads TOML into a [Source].
final class TomlSource {
  /// A date, a time or both. As JSON it is a string; as a value of a key it is not.
  static final class DateNode extends StringNode {
    @Serial private static final long serialVersionUID = 1;

    private DateNode(String text) {
      super(text);
    }
  }

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final String file;
  private final FaultList faults;
  private final Map<String, Source.Position> positions = new HashMap<>();

  private TomlSource(String file, FaultList faults) {
    this.file = file;
    this.faults = faults;
  }

  /// The file's text as a tree, or null if it cannot be read or is not TOML; the faults then say
  /// why.
  static @Nullable Source read(Path file, FaultList faults) {
    try {
      return read(file.toString(), TextFile.read(file), faults);
    } catch (TextFile.Unreadable e) {
      FaultClass kind = e.line() == 0 ? FaultClass.UNREADABLE : FaultClass.SYNTAX;
      String message = "the file " + e.reason();
      faults.add(
          new ConfigException.Fault(
              file.toString(), e.line(), e.column(), Severity.ERROR, kind, message));
      return null;
    }
  }

  /// The text as a tree, or null if it is not TOML; the faults then have the position.
  static @Nullable Source read(String file, String text, FaultList faults) {
    return new TomlSource(file, faults).read(text);
  }

  private @Nullable Source read(String text) {
    TomlText parsed = TomlText.parse(text);
    for (TomlParseError error : parsed.errors()) {
      syntax(position(error.position()), String.valueOf(error.getMessage()));
    }
    if (!parsed.errors().isEmpty()) {
      return null;
    }
    JsonNode tree = table(parsed.document(), "");
    return faults.haveErrors() ? null : new Source(file, tree, positions, faults);
  }

  private ObjectNode table(TomlTable table, String pointer) {
    ObjectNode node = NODES.objectNode();
    for (String key : table.keySet()) {
      List<String> path = List.of(key);
      String below = Source.below(pointer, key);
      positions.put(below, position(table.inputPositionOf(path)));
      node.set(key, node(table.get(path), below));
    }
    return node;
  }

  private ArrayNode array(TomlArray array, String pointer) {
    ArrayNode node = NODES.arrayNode();
    for (int i = 0; i < array.size(); i++) {
      String below = pointer + "/" + i;
      positions.put(below, position(array.inputPositionOf(i)));
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
    syntax(
        positions.getOrDefault(pointer, Source.Position.START), "inf and nan are not numbers here");
    return NODES.numberNode(0);
  }

  private void syntax(Source.Position at, String message) {
    faults.add(
        new ConfigException.Fault(
            file, at.line(), at.column(), Severity.ERROR, FaultClass.SYNTAX, message));
  }

  private static Source.Position position(@Nullable TomlPosition at) {
    return at == null ? Source.Position.START : new Source.Position(at.line(), at.column());
  }
}
