package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault.Kind;
import dev.switchboard.ruling.RuleFault.Part;
import dev.switchboard.schema.ParameterSchema;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonPointer;

/// Finds faults of a rule by itself.
final class ValueLint {
  private final List<ToolRule> rules;
  private final RuleFaults faults;

  ValueLint(List<ToolRule> rules, RuleFaults faults) {
    this.rules = rules;
    this.faults = faults;
  }

  void check() {
    for (int i = 0; i < rules.size(); i++) {
      check(rules.get(i), i);
    }
  }

  private void check(ToolRule rule, int index) {
    String label = RuleFaults.label(rule);
    switch (rule.type()) {
      case RuleType.StartConstraint start -> start(rule, index);
      case RuleType.RequiresPreceding(var tools) -> filled(tools, index, label, "no tool");
      case RuleType.RequiresFollowing(var tools) -> filled(tools, index, label, "no tool");
      case RuleType.RequiredBeforeExit required -> scope(rule, index);
      case RuleType.RequiredBeforeExitIf(var tools) -> {
        scope(rule, index);
        filled(tools, index, label, "no tool");
      }
      case RuleType.AllowedOperations(var operations) ->
          filled(operations, index, label, "no operation, so that none is allowed");
      case RuleType.ExclusiveGroups(var groups) -> groups(groups, index, label);
      case RuleType.MaxCalls(int max) -> {
        if (max == 0) {
          String never = label + " is 0, so that it can never be called.";
          faults.add(index, Part.RULE_TYPE, Kind.TOOL_NEVER_CALLABLE, never);
        }
      }
      case RuleType.RequiresConsent consent -> when(consent, index, label);
      case RuleType.Cooldown cooldown -> {}
      case RuleType.ExitLoop exit -> {}
      case RuleType.ContinueLoop more -> {}
      case RuleType.Forbidden forbidden -> {}
      case RuleType.Child(var children, var args) -> {
        ofTurn(rule, index);
        filled(children, index, label, "no tool, so that none may follow");
        strangers(children, args.keySet(), index, label);
      }
      case RuleType.Parent(var children) -> {
        ofTurn(rule, index);
        filled(children, index, label, "no tool");
      }
      case RuleType.Conditional conditional -> {
        ofTurn(rule, index);
        mapping(conditional, index, label);
      }
      case RuleType.Periodic periodic -> {}
      case RuleType.Needed needed -> {}
    }
  }

  private void start(ToolRule rule, int index) {
    if (rule.tool().equals(ToolRule.ANY)) {
      String message =
          "StartConstraint needs the name of one tool: not every tool can be the first.";
      faults.add(index, Part.TOOL_NAME, Kind.RULE_CONFLICT, message);
    }
  }

  private void scope(ToolRule rule, int index) {
    if (rule.scope() == ToolRule.Scope.AGENT) {
      String label = RuleFaults.label(rule);
      faults.add(
          index,
          Part.RULE_TYPE,
          Kind.BAD_VALUE,
          "%s has the scope agent, but only a turn or a conversation ends.".formatted(label));
    }
  }

  private void ofTurn(ToolRule rule, int index) {
    if (rule.scope() != ToolRule.Scope.TURN) {
      String message =
          "%s has the scope %s, but what is next is a question of one turn."
              .formatted(RuleFaults.label(rule), rule.scope().word());
      faults.add(index, Part.RULE_TYPE, Kind.BAD_VALUE, message);
    }
  }

  private void strangers(Set<String> children, Set<String> named, int index, String label) {
    for (String name : named) {
      if (!children.contains(name)) {
        String message =
            "%s has args for %s, which is not one of its children %s."
                .formatted(label, Quoted.name(name), Quoted.list(children));
        faults.add(index, Part.RULE_TYPE, Kind.ARGS_FOR_NON_CHILD, message);
      }
    }
  }

  private void mapping(RuleType.Conditional rule, int index, String label) {
    if (rule.mapping().isEmpty()) {
      String message = label + " maps no result to a tool.";
      faults.add(index, Part.RULE_TYPE, Kind.EMPTY_MAPPING, message);
    }
    if (rule.at() != null && !isPointer(rule.at())) {
      String message =
          "%s reads '%s', which is not a JSON pointer such as /status.".formatted(label, rule.at());
      faults.add(index, Part.RULE_TYPE, Kind.BAD_VALUE, message);
    }
  }

  private static boolean isPointer(String text) {
    try {
      JsonPointer unused = JsonPointer.compile(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void filled(Collection<String> names, int index, String label, String nothing) {
    if (names.isEmpty()) {
      String message = label + " names " + nothing + ".";
      faults.add(index, Part.CONDITIONS, Kind.EMPTY_CONDITION, message);
    }
  }

  private void groups(List<Set<String>> groups, int index, String label) {
    filled(groups.isEmpty() ? Set.of() : Set.of(label), index, label, "no group");
    for (Set<String> group : groups) {
      if (group.size() < 2) {
        String sentence =
            "%s has a group of fewer than two tools: %s.".formatted(label, Quoted.list(group));
        faults.add(index, Part.CONDITIONS, Kind.EMPTY_CONDITION, sentence);
      }
    }
  }

  private void when(RuleType.RequiresConsent consent, int index, String label) {
    Json condition = consent.condition();
    List<String> wrong =
        condition == null ? List.of() : ParameterSchema.faultsOf("", condition, false);
    if (!wrong.isEmpty()) {
      String why = wrong.getFirst().replace("tool '': ", "").replace("parameters.allOf[0]", "when");
      String message = "%s has a `when` that is not a JSON Schema: %s".formatted(label, why);
      faults.add(index, Part.RULE_TYPE, Kind.BAD_VALUE, message);
    }
  }
}
