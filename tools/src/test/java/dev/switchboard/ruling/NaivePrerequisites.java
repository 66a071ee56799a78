package dev.switchboard.ruling;

import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Prerequisites.Need;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// [Prerequisites] by the shortest way to write it, which looks at all needs at each step.
///
/// @param tools all known ones: the agent's, and those that rules name
/// @param all the needs that rules state, and those for start tools
record NaivePrerequisites(Set<String> tools, Set<String> starts, List<Need> all) {
  static NaivePrerequisites of(List<ToolRule> rules, @Nullable List<ToolDefinition> tools) {
    Set<String> known = new LinkedHashSet<>(new RuleCompiler(rules, Map.of()).names());
    if (tools != null) {
      tools.forEach(tool -> known.add(tool.name()));
    }
    Set<String> starts =
        rules.stream()
            .filter(rule -> rule.type() instanceof RuleType.StartConstraint)
            .map(ToolRule::tool)
            .filter(known::contains)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    List<Need> needs = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      needs.addAll(needs(rules.get(i), i, known, starts));
    }
    return new NaivePrerequisites(known, starts, needs);
  }

  private static List<Need> needs(ToolRule rule, int index, Set<String> known, Set<String> starts) {
    List<Need> needs = new ArrayList<>();
    for (String tool : known) {
      if (rule.type() instanceof RuleType.RequiresPreceding(var preceding)
          && RuleCompiler.waits(rule, tool, preceding)) {
        preceding.forEach(needed -> needs.add(new Need(tool, needed, rule.scope(), index, false)));
      }
      if (rule.type() instanceof RuleType.Parent(var children)
          && children.contains(tool)
          && !rule.tool().equals(ToolRule.ANY)) {
        needs.add(new Need(tool, rule.tool(), rule.scope(), index, false));
      }
      if (rule.type() instanceof RuleType.StartConstraint
          && starts.contains(rule.tool())
          && !starts.contains(tool)) {
        needs.add(new Need(tool, rule.tool(), rule.scope(), index, true));
      }
    }
    return needs;
  }

  /// The needs that rules state.
  List<Need> stated() {
    return all.stream().filter(need -> !need.gate()).toList();
  }

  /// The tools that have succeeded within the scope whenever this one runs.
  Set<String> before(String tool, ToolRule.Scope scope) {
    Set<String> found = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(tool));
    while (!open.isEmpty()) {
      String next = open.remove();
      for (Need need : all) {
        if (need.tool().equals(next)
            && need.scope().compareTo(scope) <= 0
            && found.add(need.needed())) {
          open.add(need.needed());
        }
      }
    }
    return found;
  }

  List<List<Need>> cycles() {
    Set<String> told = new LinkedHashSet<>();
    List<List<Need>> cycles = new ArrayList<>();
    for (String tool : tools) {
      List<Need> cycle = told.contains(tool) ? List.of() : way(tool, tool, new LinkedHashSet<>());
      if (!cycle.isEmpty()) {
        cycle.forEach(need -> told.add(need.tool()));
        cycles.add(cycle);
      }
    }
    return cycles;
  }

  private List<Need> way(String from, String to, Set<String> seen) {
    for (Need need : stated()) {
      if (!need.tool().equals(from)) {
        continue;
      }
      if (need.needed().equals(to)) {
        return List.of(need);
      }
      List<Need> rest = seen.add(need.needed()) ? way(need.needed(), to, seen) : List.of();
      if (!rest.isEmpty()) {
        List<Need> way = new ArrayList<>(List.of(need));
        way.addAll(rest);
        return way;
      }
    }
    return List.of();
  }
}
