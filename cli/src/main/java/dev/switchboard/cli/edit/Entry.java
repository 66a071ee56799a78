package dev.switchboard.cli.edit;

import dev.switchboard.rule.RuleKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/// A rule as it stands in a file, right or wrong.
///
/// @param tool null where it names none
/// @param kind null where it is none
/// @param json all of it, to be compared
record Entry(@Nullable String tool, @Nullable RuleKind kind, String json) {

  /// The rules of that text, in their order.
  static List<Entry> all(String text) {
    TomlParseResult parsed = Toml.parse(text);
    List<Entry> entries = new ArrayList<>();
    if (parsed.isArray(Layout.RULES)) {
      TomlArray rules = parsed.getArrayOrEmpty(Layout.RULES);
      for (int i = 0; i < rules.size(); i++) {
        entries.add(
            rules.get(i) instanceof TomlTable table
                ? of(table)
                : new Entry(null, null, String.valueOf(rules.get(i))));
      }
    }
    return entries;
  }

  private static Entry of(TomlTable rule) {
    Object tool = rule.get(List.of("tool_name"));
    String type = typeName(rule.get(List.of("rule_type")));
    return new Entry(
        tool instanceof String name ? name : null,
        type == null ? null : RuleKind.of(type),
        rule.toJson());
  }

  private static @Nullable String typeName(@Nullable Object type) {
    return switch (type) {
      case String name -> name;
      case TomlTable table when table.get(List.of("type")) instanceof String name -> name;
      case TomlTable table when table.size() == 1 -> table.keySet().iterator().next();
      case null, default -> null;
    };
  }

  boolean isFor(String name, @Nullable RuleKind wanted) {
    return name.equals(tool) && (wanted == null || wanted == kind);
  }
}
