package dev.switchboard.config.rule;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedRule;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import java.util.ArrayList;
import java.util.List;

/// The rules of a file, `[[agent.tool_rules]]`, for [java.util.ServiceLoader].
public final class RulesTable implements FileTable<RulesTable.Stated> {
  /// The rules of a file.
  record Stated(List<StatedRule> rules) {
    Stated {
      rules = List.copyOf(rules);
    }
  }

  /// The table.
  public RulesTable() {}

  @Override
  public String word() {
    return "agent.tool_rules";
  }

  @Override
  public Stated read(StatedValue list, Context file) {
    List<StatedRule> rules = new ArrayList<>();
    for (StatedValue item : list.items()) {
      RuleKeys keys = item.bind(RuleKeys.class);
      if (keys != null) {
        rules.add(new StatedRule(item, keys.toolName(), rules(keys)));
      }
    }
    return new Stated(rules);
  }

  @Override
  public List<StatedRule> rules(Stated stated) {
    return stated.rules;
  }

  /// One rule, or for a `ContinueLoop` of `*` one for each of its conditions; none if it is
  /// invalid.
  private static List<ToolRule> rules(RuleKeys stated) {
    StatedValue given = stated.ruleType();
    RuleType type = given == null ? null : RuleTypeReader.read(given, stated.conditions());
    if (stated.toolName() == null || type == null) {
      return List.of();
    }
    StatedValue conditions = type instanceof RuleType.ContinueLoop ? stated.conditions() : null;
    List<String> each = conditions == null ? List.of() : conditions.texts();
    List<String> tools =
        each.isEmpty() || !stated.toolName().equals(ToolRule.ANY)
            ? List.of(stated.toolName())
            : each;
    StatedValue metadata = stated.metadata();
    return tools.stream()
        .map(tool ->
            new ToolRule(
                tool,
                type,
                requireNonNullElse(stated.priority(), ToolRule.DEFAULT_PRIORITY),
                requireNonNullElse(stated.scope(), ToolRule.defaultScope(type)),
                metadata == null ? Json.EMPTY_OBJECT : Json.of(metadata.node())))
        .toList();
  }
}
