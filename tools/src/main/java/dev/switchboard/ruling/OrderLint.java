package dev.switchboard.ruling;

import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Prerequisites.Need;
import dev.switchboard.ruling.RuleFault.Kind;
import dev.switchboard.ruling.RuleFault.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds tools that can never run because of the tools that they wait for, and required tools that
/// can never succeed.
final class OrderLint {
  private final List<ToolRule> rules;
  private final Prerequisites needs;
  private final RuleFaults faults;
  private final Map<String, Never> never = new HashMap<>(); // by tool, or for all
  private final List<ToolRule> gates; // what may keep a tool from being next
  private final List<ToolRule> required;
  private final Map<String, List<Integer>> parents = new HashMap<>(); // earlier ones, by child

  /// Why a tool never runs.
  ///
  /// @param rule the index of the rule that says so
  private record Never(int rule, String why) {}

  OrderLint(List<ToolRule> rules, Prerequisites needs, RuleFaults faults) {
    this.rules = rules;
    this.needs = needs;
    this.faults = faults;
    gates =
        rules.stream()
            .filter(rule ->
                rule.type() instanceof RuleType.Parent
                    || rule.type() instanceof RuleType.StartConstraint)
            .toList();
    required =
        rules.stream().filter(rule -> rule.type() instanceof RuleType.RequiredBeforeExit).toList();
    for (int i = 0; i < rules.size(); i++) {
      RuleType type = rules.get(i).type();
      if (type instanceof RuleType.Forbidden) {
        never.putIfAbsent(rules.get(i).tool(), new Never(i, "it is forbidden"));
      } else if (type instanceof RuleType.MaxCalls(int max) && max == 0) {
        never.putIfAbsent(rules.get(i).tool(), new Never(i, "its limit is 0 calls"));
      }
    }
  }

  void check() {
    cycles();
    needs.stated().forEach(this::deadlock);
    for (int i = 0; i < rules.size() && !needs.isInPart(); i++) {
      required(rules.get(i), i);
      following(rules.get(i), i);
      groups(rules.get(i), i);
      next(rules.get(i), i);
      parents(rules.get(i), i);
    }
    if (needs.isInPart()) {
      String sentence =
          "the rules let so many tools wait for others that not all of it can be checked:"
              + " state fewer.";
      faults.add(0, Part.RULE_TYPE, Kind.RULE_CONFLICT, sentence);
    }
  }

  private void cycles() {
    for (List<Need> cycle : needs.cycles()) {
      int rule = cycle.stream().mapToInt(Need::rule).min().orElseThrow();
      faults.add(rule, Part.CONDITIONS, Kind.RULE_CYCLE, circle(cycle));
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

  /// Why the tool can never run, by its own rules; null if it can.
  private @Nullable String never(String tool) {
    Never named = never.get(tool);
    Never any = never.get(ToolRule.ANY);
    if (named == null || any == null) {
      return named != null ? named.why() : any != null ? any.why() : null;
    }
    return named.rule() < any.rule() ? named.why() : any.why();
  }

  /// A tool that everything, or the end, waits for must be able to run.
  private void required(ToolRule rule, int index) {
    String why = never(rule.tool());
    String demand = RuleText.demand(rule.type());
    if (why != null && demand != null) {
      String sentence =
          "%s %s, but never runs: %s.".formatted(Quoted.name(rule.tool()), demand, why);
      faults.add(index, Part.TOOL_NAME, Kind.RULE_DEADLOCK, sentence);
    }
  }

  /// A tool that has to be next must be able to run: one of the children, and each tool of a
  /// mapping.
  private void next(ToolRule rule, int index) {
    if (rule.tool().equals(ToolRule.ANY) || never(rule.tool()) != null) {
      return;
    }
    if (rule.type() instanceof RuleType.Child(var children, var args)) {
      List<String> blocked =
          children.stream()
              .map(child -> blocked(child, rule.tool()))
              .filter(Objects::nonNull)
              .toList();
      if (!children.isEmpty() && blocked.size() == children.size()) {
        deadlock(rule, index, Quoted.list(children), blocked.getFirst());
      }
    } else if (rule.type() instanceof RuleType.Conditional conditional) {
      for (String tool : conditional.tools()) {
        String why = blocked(tool, rule.tool());
        if (why != null) {
          deadlock(rule, index, Quoted.list(List.of(tool)), why);
        }
      }
    }
  }

  private void deadlock(ToolRule rule, int index, String next, String why) {
    String sentence =
        "after %s one of %s has to be next, but cannot run: %s."
            .formatted(Quoted.name(rule.tool()), next, why);
    faults.add(index, Part.CONDITIONS, Kind.RULE_DEADLOCK, sentence);
  }

  /// Why the tool cannot run right after the first success of the other; null if it can.
  private @Nullable String blocked(String tool, String first) {
    String never = never(tool);
    if (never != null) {
      return never;
    }
    for (String needed : needs.before(tool, ToolRule.Scope.AGENT)) {
      boolean later = needs.before(needed, ToolRule.Scope.TURN).contains(first);
      if (!needed.equals(first) && later) {
        return "it waits for %s, which waits for %s"
            .formatted(Quoted.name(needed), Quoted.name(first));
      }
    }
    for (ToolRule rule : gates) {
      if (rule.type() instanceof RuleType.StartConstraint start
          && !start.auto()
          && needs.starts().contains(first)
          && !rule.tool().equals(first)
          && !needs.starts().contains(tool)) {
        return "%s has to come first too, and the model has to call it"
            .formatted(Quoted.name(rule.tool()));
      }
      boolean other = !rule.tool().equals(first) && !rule.tool().equals(ToolRule.ANY);
      if (rule.type() instanceof RuleType.Parent(var children)
          && children.contains(tool)
          && other) {
        return "it runs only right after " + Quoted.name(rule.tool());
      }
    }
    return null;
  }

  /// A tool that has to come right after two others, or before all, can never run.
  private void parents(ToolRule rule, int index) {
    if (!(rule.type() instanceof RuleType.Parent(var children))) {
      return;
    }
    Map<Integer, List<String>> shared = new TreeMap<>(); // by the earlier rule
    for (String child : children) {
      List<Integer> earlier = parents.computeIfAbsent(child, name -> new ArrayList<>());
      if (!faults.isFull(Kind.RULE_DEADLOCK)) {
        earlier.forEach(i -> shared.computeIfAbsent(i, other -> new ArrayList<>()).add(child));
      }
      earlier.add(index);
    }
    shared.forEach((i, both) -> both.forEach(child -> twoParents(child, rules.get(i), index)));
  }

  private void twoParents(String child, ToolRule earlier, int index) {
    String one = earlier.tool();
    String other = rules.get(index).tool();
    if (!one.equals(other)) {
      faults.add(
          index,
          Part.CONDITIONS,
          Kind.RULE_DEADLOCK,
          "%s runs only right after %s, and only right after %s: it cannot come right after both."
              .formatted(Quoted.name(child), Quoted.name(one), Quoted.name(other)));
    }
  }

  private void following(ToolRule rule, int index) {
    if (!(rule.type() instanceof RuleType.RequiresFollowing(var later))) {
      return;
    }
    boolean any = rule.tool().equals(ToolRule.ANY);
    for (String tool : any ? needs.tools() : List.of(rule.tool())) {
      if (needs.waits(tool) && RuleCompiler.waits(rule, tool, later)) {
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
      Set<Set<String>> reported = new HashSet<>();
      needs.tools().stream()
          .filter(tool -> together(tool, group, rule.scope()).size() > 1)
          .sorted(Comparator.comparingInt(tool -> needs.before(tool, rule.scope()).size()))
          .forEach(tool -> {
            Set<String> both = together(tool, group, rule.scope());
            if (reported.add(both)) {
              String sentence =
                  "%s can never run: it needs more than one of the group %s: %s."
                      .formatted(Quoted.name(tool), Quoted.list(group), Quoted.list(both));
              faults.add(index, Part.CONDITIONS, Kind.RULE_DEADLOCK, sentence);
            }
          });
      if (reported.isEmpty()) {
        end(rule, index, group);
      }
    }
  }

  /// The members of the group that were used when the tool has run.
  private Set<String> together(String tool, Set<String> group, ToolRule.Scope scope) {
    if (!needs.waits(tool)) {
      return group.contains(tool) ? Set.of(tool) : Set.of();
    }
    Set<String> used = new LinkedHashSet<>(group);
    Set<String> before = needs.before(tool, scope);
    used.removeIf(name -> !name.equals(tool) && !before.contains(name));
    return used;
  }

  private void end(ToolRule rule, int index, Set<String> group) {
    Set<String> both = new LinkedHashSet<>();
    for (ToolRule other : required) {
      if (other.scope().compareTo(rule.scope()) <= 0) {
        both.addAll(together(other.tool(), group, rule.scope()));
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
