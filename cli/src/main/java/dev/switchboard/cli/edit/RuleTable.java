package dev.switchboard.cli.edit;

import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleKind;
import org.tomlj.MutableTomlArray;
import org.tomlj.MutableTomlTable;
import org.tomlj.TomlValue;
import tools.jackson.databind.JsonNode;

/// A rule as a table of a file, without its metadata.
final class RuleTable {
  private RuleTable() {}

  static MutableTomlTable table(ToolRule rule) {
    RuleKind kind = RuleKind.of(rule.type());
    JsonNode value = rule.type().value().tree();
    boolean inside = !value.isNull() && kind.form() != RuleKind.Form.TOOLS;
    MutableTomlTable table = MutableTomlTable.create().set("tool_name", rule.tool());
    table.set(
        "rule_type",
        inside ? MutableTomlTable.createInline().set(kind.pascal(), toml(value)) : kind.pascal());
    if (!value.isNull() && !inside) {
      table.set("conditions", toml(value));
    }
    if (rule.priority() != ToolRule.DEFAULT_PRIORITY) {
      table.set("priority", rule.priority());
    }
    if (rule.scope() != ToolRule.defaultScope(rule.type())) {
      table.set("scope", rule.scope().word());
    }
    return table;
  }

  /// An object becomes a table; an object in it becomes JSON text, which allows `null`.
  private static Object toml(JsonNode value) {
    if (!value.isObject()) {
      return plain(value);
    }
    MutableTomlTable table = MutableTomlTable.createInline();
    value.forEachEntry(
        (name, member) -> table.set(name, member.isObject() ? json(member) : plain(member)));
    return table;
  }

  private static Object plain(JsonNode value) {
    if (value.isArray()) {
      return MutableTomlArray.of(value.valueStream().map(RuleTable::plain).toArray());
    }
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    return value.isIntegralNumber() ? (Object) value.longValue() : value.stringValue();
  }

  private static Object json(JsonNode value) {
    String text = Json.of(value).text();
    boolean plain = text.chars().noneMatch(c -> c == '\'' || c < ' ' || c == 0x7f);
    return plain ? TomlValue.literal(text) : text;
  }
}
