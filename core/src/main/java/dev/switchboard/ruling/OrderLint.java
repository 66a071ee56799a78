package dev.switchboard.ruling;

import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Needs.Need;
import dev.switchboard.ruling.RuleFault.Kind;
import dev.switchboard.ruling.RuleFault.Part;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds tools that can never run because of what they wait for, and required tools that can never
/// succeed.
record OrderLint(List<ToolRule> rules, Needs needs, RuleFaults faults) {
  void check() {
    cycles();
    needs.stated().forEach(this::deadlock);
    for (int i = 0; i < rules.size(); i++) {
      required(rules.get(i), i);
      following(rules.get(i), i);
      groups(rules.get(i), i);
    }
  }

  private void cycles() {
    Set<String> told = new HashSet<>();
    for (String tool : needs.tools()) {
      List<Need> cycle = told.contains(tool) ? List.of() : needs.cycle(tool);
      if (!cycle.isEmpty()) {
        cycle.forEach(need -> told.add(need.tool()));
        int rule = cycle.stream().mapToInt(Need::rule).min().orElseThrow();
        faults.add(rule, Part.CONDITIONS, Kind.RULE_CYCLE, circle(cycle));
      }
    }
  }

  private static String circle(List<Need> cycle) {
    String way =
        cycle.stream()
            .map(need -> Quoted.name(need.needed()))
            .collect(Collectors.joining(", which waits for "));
    String never = cycle.size() == 1 ? "it can never run" : "none of them can ever run";
    return "%s waits for %s: %s.".formatted(Quoted.name(cycle.getFirst().tool()), way, never);
  }

  private void deadlock(Need need) {
    String never = never(need.needed());
    String message = null;
    if (needs.starts().contains(need.tool()) && !needs.starts().contains(need.needed())) {
      message = "%s has to come first, but waits for %s, which waits for it.";
    } else if (never != null && never(need.tool()) == null) {
      message = "%s waits for %s, which never runs: " + never + ".";
    }
    if (message != null) {
      String sentence = message.formatted(Quoted.name(need.tool()), Quoted.name(need.needed()));
      faults.add(need.rule(), Part.CONDITIONS, Kind.RULE_DEADLOCK, sentence);
    }
  }

  /// Why the tool can never run, by its own rules; null where it can.
  private @Nullable String never(String tool) {
    for (ToolRule rule : rules) {
      if (rule.isFor(tool) && rule.type() instanceof RuleType.Forbidden) {
        return "it is forbidden";
      }
      if (rule.isFor(tool) && rule.type() instanceof RuleType.MaxCalls(int max) && max == 0) {
        return "its limit is 0 calls";
      }
    }
    return null;
  }

  /// What everything waits for, or the end does, has to be able to run.
  private void required(ToolRule rule, int index) {
    String why = never(rule.tool());
    boolean first = rule.type() instanceof RuleType.StartConstraint;
    boolean last =
        rule.type() instanceof RuleType.RequiredBeforeExit
            || rule.type() instanceof RuleType.RequiredBeforeExitIf;
    if (why != null && (first || last)) {
      String has = first ? "has to come first" : "is required before the end";
      String sentence = "%s %s, but never runs: %s.".formatted(Quoted.name(rule.tool()), has, why);
      faults.add(index, Part.TOOL_NAME, Kind.RULE_DEADLOCK, sentence);
    }
  }

  private void following(ToolRule rule, int index) {
    if (!(rule.type() instanceof RuleType.RequiresFollowing(var later))) {
      return;
    }
    for (String tool : needs.tools()) {
      if (RuleCompiler.waits(rule, tool, later)) {
        Set<String> before = needs.before(tool, rule.scope());
        later.stream()
            .filter(name -> !name.equals(tool) && before.contains(name))
            .forEach(name -> {
              String late = Quoted.name(name);
              String sentence =
                  "%s has to come before %s, but cannot run until %s has succeeded."
                      .formatted(Quoted.name(tool), late, late);
              faults.add(index, Part.CONDITIONS, Kind.RULE_CONFLICT, sentence);
            });
      }
    }
  }

  private void groups(ToolRule rule, int index) {
    if (!(rule.type() instanceof RuleType.ExclusiveGroups(var groups))) {
      return;
    }
    for (Set<String> group : groups) {
      Set<Set<String>> told = new HashSet<>();
      needs.tools().stream()
          .sorted(Comparator.comparingInt(tool -> needs.before(tool, rule.scope()).size()))
          .forEach(tool -> {
            Set<String> both = together(tool, group, rule.scope());
            if (both.size() > 1 && told.add(both)) {
              String sentence =
                  "%s can never run: it needs more than one of the group %s: %s."
                      .formatted(Quoted.name(tool), Quoted.list(group), Quoted.list(both));
              faults.add(index, Part.CONDITIONS, Kind.RULE_DEADLOCK, sentence);
            }
          });
      if (told.isEmpty()) {
        end(rule, index, group);
      }
    }
  }

  /// The members of the group that were used when the tool has run.
  private Set<String> together(String tool, Set<String> group, ToolRule.Scope scope) {
    Set<String> used = new LinkedHashSet<>(group);
    Set<String> run = new HashSet<>(needs.before(tool, scope));
    run.add(tool);
    used.retainAll(run);
    return used;
  }

  private void end(ToolRule rule, int index, Set<String> group) {
    Set<String> both = new LinkedHashSet<>();
    for (ToolRule required : rules) {
      if (required.type() instanceof RuleType.RequiredBeforeExit
          && required.scope().compareTo(rule.scope()) <= 0) {
        both.addAll(together(required.tool(), group, rule.scope()));
      }
    }
    if (both.size() > 1) {
      String sentence =
          "%s are required before the end, but only one of the group %s can be used."
              .formatted(Quoted.list(both), Quoted.list(group));
      faults.add(index, Part.CONDITIONS, Kind.RULE_DEADLOCK, sentence);
    }
  }
}
