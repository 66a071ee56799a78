package dev.switchboard.cli.edit;

import org.tomlj.MutableTomlArray;
import org.tomlj.MutableTomlTable;
import org.tomlj.TomlValue;
import tools.jackson.databind.JsonNode;

/// A tool as a table of a file.
final class ToolText {
  private ToolText() {}

  /// The table with those keys; its parameters are JSON text over several lines.
  static MutableTomlTable table(JsonNode tool) {
    MutableTomlTable table = MutableTomlTable.create();
    tool.forEachEntry((key, value) -> table.set(key, isJson(key) ? json(value) : toml(value)));
    return table;
  }

  private static boolean isJson(String key) {
    return key.equals("parameters");
  }

  private static Object toml(JsonNode value) {
    if (value.isObject()) {
      MutableTomlTable table = MutableTomlTable.createInline();
      value.forEachEntry((name, member) -> table.set(name, toml(member)));
      return table;
    }
    if (value.isArray()) {
      return MutableTomlArray.of(value.valueStream().map(ToolText::toml).toArray());
    }
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    return value.isIntegralNumber() ? (Object) value.longValue() : value.asString();
  }

  private static Object json(JsonNode value) {
    String text = value.toPrettyString() + "\n";
    boolean plain =
        !text.contains("''") && text.chars().noneMatch(c -> c < ' ' && c != '\n' || c == 0x7f);
    return plain ? TomlValue.multilineLiteral(text) : text;
  }
}
