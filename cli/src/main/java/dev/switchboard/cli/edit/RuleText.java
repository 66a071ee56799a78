package dev.switchboard.cli.edit;

import dev.switchboard.config.Durations;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tomlj.MutableTomlArray;
import org.tomlj.MutableTomlTable;
import org.tomlj.TomlValue;

/// A rule as a table of a file, its metadata aside.
final class RuleText {
  private RuleText() {}

  static MutableTomlTable table(ToolRule rule) {
    MutableTomlTable table = MutableTomlTable.create();
    table.set("tool_name", rule.tool());
    Object value = value(rule.type());
    String name = rule.type().kind().pascal();
    table.set("rule_type", value == null ? name : MutableTomlTable.createInline().set(name, value));
    Object conditions = conditions(rule.type());
    if (conditions != null) {
      table.set("conditions", conditions);
    }
    if (rule.priority() != ToolRule.DEFAULT_PRIORITY) {
      table.set("priority", rule.priority());
    }
    if (rule.scope() != ToolRule.defaultScope(rule.type().kind())) {
      table.set("scope", rule.scope().word());
    }
    return table;
  }

  private static @Nullable Object conditions(RuleType type) {
    return switch (type) {
      case RuleType.RequiresPreceding preceding -> list(preceding.tools());
      case RuleType.RequiresFollowing following -> list(following.tools());
      case RuleType.RequiredBeforeExitIf required -> list(required.tools());
      case RuleType.StartConstraint start -> null;
      case RuleType.MaxCalls max -> null;
      case RuleType.Cooldown cooldown -> null;
      case RuleType.ExclusiveGroups groups -> null;
      case RuleType.ExitLoop exit -> null;
      case RuleType.ContinueLoop more -> null;
      case RuleType.RequiredBeforeExit required -> null;
      case RuleType.RequiresConsent consent -> null;
      case RuleType.Forbidden forbidden -> null;
      case RuleType.AllowedOperations operations -> null;
    };
  }

  private static @Nullable Object value(RuleType type) {
    return switch (type) {
      case RuleType.StartConstraint start -> start(start);
      case RuleType.RequiresPreceding preceding -> null;
      case RuleType.RequiresFollowing following -> null;
      case RuleType.MaxCalls max -> (long) max.max();
      case RuleType.Cooldown cooldown -> Durations.text(cooldown.length());
      case RuleType.ExclusiveGroups groups ->
          MutableTomlArray.of(
              groups.groups().stream()
                  .map(group -> list(group.stream().sorted().toList()))
                  .toArray());
      case RuleType.ExitLoop exit -> null;
      case RuleType.ContinueLoop more -> null;
      case RuleType.RequiredBeforeExit required -> null;
      case RuleType.RequiredBeforeExitIf required -> null;
      case RuleType.RequiresConsent consent -> consent(consent);
      case RuleType.Forbidden forbidden -> null;
      case RuleType.AllowedOperations operations -> list(operations.operations());
    };
  }

  private static @Nullable Object start(RuleType.StartConstraint start) {
    MutableTomlTable table = MutableTomlTable.createInline();
    if (start.args() != null) {
      table.set("args", json(start.args()));
    }
    if (!start.auto()) {
      table.set("auto", false);
    }
    return table.isEmpty() ? null : table;
  }

  private static @Nullable Object consent(RuleType.RequiresConsent consent) {
    MutableTomlTable table = MutableTomlTable.createInline();
    if (consent.scope() != null) {
      table.set("scope", consent.scope());
    }
    if (consent.when() != null) {
      table.set("when", json(consent.when()));
    }
    if (!consent.bind().isEmpty()) {
      table.set("bind", list(consent.bind()));
    }
    return table.isEmpty() ? null : table;
  }

  private static MutableTomlArray list(List<String> texts) {
    return MutableTomlArray.of(texts.toArray());
  }

  private static Object json(Json json) {
    String text = Json.of(json.tree()).text();
    boolean plain = text.chars().noneMatch(c -> c == '\'' || c < ' ' || c == 0x7f);
    return plain ? TomlValue.literal(text) : text;
  }
}
