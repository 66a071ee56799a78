package dev.switchboard.config;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The reading of one entry of `agent.tool_rules`.
final class RuleSection {
  private static final List<String> SCOPES =
      Arrays.stream(ToolRule.Scope.values()).map(ToolRule.Scope::word).toList();

  private final Section section;

  RuleSection(Section section) {
    this.section = section;
  }

  /// Its rules: one, or for a `ContinueLoop` of `*` one for each of its conditions; none where
  /// something is faulty.
  List<ToolRule> rules() {
    String tool = required("tool_name") ? section.filledText("tool_name") : null;
    RuleType type = required("rule_type") ? type() : null;
    Integer priority = section.whole("priority", 1, 10);
    String word = section.word("scope", SCOPES);
    ToolRule.Scope scope = word == null ? null : ToolRule.Scope.ofWord(word);
    Value metadata = section.value("metadata");
    if (tool == null || type == null) {
      return List.of();
    }
    ToolRule rule =
        new ToolRule(
            tool,
            type,
            priority == null ? ToolRule.DEFAULT_PRIORITY : priority,
            scope == null ? ToolRule.defaultScope(type.kind()) : scope,
            metadata == null ? Json.EMPTY_OBJECT : Json.of(metadata.node()));
    return perTool(rule);
  }

  /// Reports a tool that it is for and that is none of these.
  void checkTool(Collection<String> known, Severity unknown) {
    Value value = section.value("tool_name");
    String tool = value == null ? null : value.filledText();
    if (value != null && tool != null && !tool.equals(ToolRule.ANY) && !known.contains(tool)) {
      String sentence =
          "%s is for '%s', but no tool has that name%s"
              .formatted(section.place().path(), tool, Suggestion.of(tool, known));
      value.place().report(unknown, FaultClass.UNKNOWN_TOOL, sentence);
    }
  }

  /// The place of that part; conditions may be in the type.
  Place place(RuleFault.Part part) {
    String key =
        switch (part) {
          case TOOL_NAME -> "tool_name";
          case RULE_TYPE -> "rule_type";
          case CONDITIONS -> section.has("conditions") ? "conditions" : "rule_type";
        };
    return section.place().member(key);
  }

  private boolean required(String key) {
    if (!section.has(key)) {
      section.place().error(FaultClass.BAD_VALUE, section.place().path() + " needs '" + key + "'");
    }
    return section.has(key);
  }

  private @Nullable RuleType type() {
    Value stated = section.value("rule_type");
    StatedType type = stated == null ? null : StatedType.read(stated);
    return stated == null || type == null
        ? null
        : new RuleTypeReader(type, stated.place(), section.value("conditions")).read();
  }

  private List<ToolRule> perTool(ToolRule rule) {
    Value conditions = section.value("conditions");
    if (conditions == null || !(rule.type() instanceof RuleType.ContinueLoop)) {
      return List.of(rule);
    }
    List<String> tools = conditions.texts();
    return tools.isEmpty() || !rule.tool().equals(ToolRule.ANY)
        ? List.of(rule)
        : tools.stream()
            .map(tool ->
                new ToolRule(tool, rule.type(), rule.priority(), rule.scope(), rule.metadata()))
            .toList();
  }
}
