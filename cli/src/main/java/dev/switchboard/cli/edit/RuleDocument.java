package dev.switchboard.cli.edit;

import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleKind;
import dev.switchboard.toml.TomlText;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.tomlj.MutableTomlArray;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlElement;
import org.tomlj.TomlKeyValue;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import org.tomlj.TomlWriteOptions;

/// An agent's TOML text with valid syntax, and the changes of its rules.
///
/// @param file of the text, existing or not
record RuleDocument(Path file, String text) {
  private static final List<String> AGENT = List.of("agent");
  private static final List<String> RULES = List.of("agent", "tool_rules");
  private static final TomlWriteOptions LAYOUT =
      TomlWriteOptions.defaults().withMaxLineWidth(Integer.MAX_VALUE);

  /// The text with that rule after the existing ones.
  RuleDocument with(ToolRule rule) throws EditRefusedException {
    TomlParseResult document = TomlText.parse(text).document();
    if (!document.contains(RULES) && hasDottedKeys(document)) {
      document.set(RULES, MutableTomlArray.createInline());
    }
    document.getOrCreateArray(RULES).add(RuleTable.table(rule));
    return written(document);
  }

  /// Whether the agent is stated by keys such as `agent.name`.
  private static boolean hasDottedKeys(TomlTable document) {
    TomlPosition agent = valueOf(document, AGENT);
    return agent != null
        && document.getTableOrEmpty(AGENT).keySet().stream()
            .limit(1)
            .map(first -> document.inputPositionOf(List.of("agent", first)))
            .anyMatch(agent::equals);
  }

  /// The indices of the rules for that tool, of that kind or of all, valid or not.
  List<Integer> of(String tool, @Nullable RuleKind kind) {
    TomlParseResult document = TomlText.parse(text).document();
    TomlArray rules = document.isArray(RULES) ? document.getArrayOrEmpty(RULES) : null;
    return rules == null
        ? List.of()
        : IntStream.range(0, rules.size())
            .filter(i -> rules.get(i) instanceof TomlTable rule && isFor(rule, tool, kind))
            .boxed()
            .toList();
  }

  private static boolean isFor(TomlTable rule, String tool, @Nullable RuleKind kind) {
    String type = typeName(rule.get(List.of("rule_type")));
    return tool.equals(rule.get(List.of("tool_name")))
        && (kind == null || (type != null && kind == RuleKind.of(type)));
  }

  private static @Nullable String typeName(@Nullable Object type) {
    return switch (type) {
      case String name -> name;
      case TomlTable table when table.get(List.of("type")) instanceof String name -> name;
      case TomlTable table when table.size() == 1 -> table.keySet().iterator().next();
      case null, default -> null;
    };
  }

  /// The text without the rule of that index and the comments directly above it.
  RuleDocument without(int index) throws EditRefusedException {
    TomlParseResult document = TomlText.parse(text).document();
    int below = commentsBelow(document.getArrayOrEmpty(RULES).getTable(index));
    if (below > 0) {
      int cut = offset(below);
      RuleDocument above = new RuleDocument(file, text.substring(0, cut));
      return new RuleDocument(file, above.without(index).text + text.substring(cut));
    }
    MutableTomlArray rules = document.getOrCreateArray(RULES);
    rules.remove(index);
    if (rules.isEmpty() && hasHeader(document, RULES)) {
      document.remove(RULES);
      if (document.getTableOrEmpty(AGENT).isEmpty() && valueOf(document, AGENT) == null) {
        document.remove(AGENT);
      }
    }
    return written(document);
  }

  /// The line of the first comment after the table's content, which tomlj would remove with it; 0
  /// if there is none.
  private static int commentsBelow(TomlTable table) {
    int line = 0;
    for (TomlElement element : table.elements()) {
      if (element instanceof TomlKeyValue key) {
        boolean inner = key.value().isTable() && hasHeader(table, List.of(key.key()));
        line = inner ? commentsBelow(key.value().getTable()) : 0;
      } else if (line == 0) {
        line = Objects.requireNonNull(element.position()).line();
      }
    }
    return line;
  }

  /// Whether it is stated by headers, not in brackets or braces.
  private static boolean hasHeader(TomlTable table, List<String> path) {
    TomlPosition value = valueOf(table, path);
    return value == null || value.equals(table.inputPositionOf(path));
  }

  /// Where the value begins, null if there are only headers of its parts.
  private static @Nullable TomlPosition valueOf(TomlTable table, List<String> path) {
    TomlKeyValue entry = table.entry(path);
    return entry == null ? null : entry.value().position();
  }

  private int offset(int line) {
    int offset = 0;
    for (int i = 1; i < line; i++) {
      offset = text.indexOf('\n', offset) + 1;
    }
    return offset;
  }

  /// Unchanged parts keep their bytes, except for the last line end.
  private RuleDocument written(TomlParseResult document) throws EditRefusedException {
    String written = document.toToml(LAYOUT);
    boolean open = !text.isEmpty() && !text.endsWith("\n");
    String changed = open ? written.replaceFirst("\r?\n\\z", "") : written;
    if (!Toml.equals(document, (TomlTable) TomlText.parse(changed).document())) {
      throw new EditRefusedException(
          file
              + ": its rules are in a form that cannot be changed; write them as"
              + " [[agent.tool_rules]] tables");
    }
    return new RuleDocument(file, changed);
  }
}
