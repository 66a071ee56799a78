package dev.switchboard.ruling;

import dev.switchboard.rule.RuleKind;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault.Kind;
import dev.switchboard.ruling.RuleFault.Part;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Finds rules that contradict each other, or make another one redundant.
record PairLint(List<ToolRule> rules, RuleFaults faults) {
  void check() {
    for (int i = 0; i < rules.size(); i++) {
      exit(i);
      duplicate(i);
    }
    operations();
    next();
  }

  /// A rule by name is an exception to one for all, so both must be of one kind.
  private void exit(int index) {
    ToolRule rule = rules.get(index);
    RuleKind kind = rule.type().kind();
    RuleKind opposite =
        kind == RuleKind.EXIT_LOOP
            ? RuleKind.CONTINUE_LOOP
            : kind == RuleKind.CONTINUE_LOOP ? RuleKind.EXIT_LOOP : null;
    boolean contradicts =
        rules.subList(0, index).stream()
            .anyMatch(
                earlier -> earlier.type().kind() == opposite && earlier.tool().equals(rule.tool()));
    if (contradicts) {
      String tool = rule.tool().equals(ToolRule.ANY) ? "every tool" : Quoted.name(rule.tool());
      faults.add(
          index,
          Part.RULE_TYPE,
          Kind.RULE_CONFLICT,
          "the loop cannot both end (ExitLoop) and go on (ContinueLoop) after %s.".formatted(tool));
    }
  }

  private void duplicate(int index) {
    ToolRule rule = rules.get(index);
    for (int i = 0; i < rules.size(); i++) {
      if (i != index && makesVoid(rules.get(i), rule, i < index)) {
        String other =
            rules.get(i).tool().equals(rule.tool())
                ? "another such rule"
                : RuleFaults.label(rules.get(i));
        String sentence =
            "%s changes nothing: %s is at least as strict."
                .formatted(RuleFaults.label(rule), other);
        faults.add(index, Part.RULE_TYPE, Kind.DUPLICATE_RULE, sentence);
        return;
      }
    }
  }

  /// Of two equal rules the later is redundant, or the one by name beside one for all.
  private static boolean makesVoid(ToolRule strict, ToolRule rule, boolean earlier) {
    boolean wider = strict.tool().equals(ToolRule.ANY) && !rule.tool().equals(ToolRule.ANY);
    boolean covers = wider || strict.tool().equals(rule.tool());
    if (!covers || strict.scope() != rule.scope()) {
      return false;
    }
    boolean equal = strict.type().equals(rule.type()) && (wider || earlier);
    if (strict.type() instanceof RuleType.MaxCalls(int max)
        && rule.type() instanceof RuleType.MaxCalls(int other)) {
      return equal || max < other;
    }
    if (strict.type() instanceof RuleType.Cooldown(var length)
        && rule.type() instanceof RuleType.Cooldown(var other)) {
      return equal || length.compareTo(other) > 0;
    }
    return equal && !isExcepted(strict.type(), rule.tool());
  }

  /// A rule of order for all does not apply to the tools that it names.
  private static boolean isExcepted(RuleType type, String tool) {
    boolean order =
        type instanceof RuleType.RequiresPreceding
            || type instanceof RuleType.RequiresFollowing
            || type instanceof RuleType.Child
            || type instanceof RuleType.Parent
            || type instanceof RuleType.Conditional;
    return order && type.tools().contains(tool);
  }

  /// All rules about the next step must allow a common tool.
  private void next() {
    Set<String> tools = new LinkedHashSet<>();
    rules.stream().filter(RuleCompiler::limitsTheNext).forEach(rule -> tools.add(rule.tool()));
    for (String tool : tools) {
      List<Integer> limits = limits(tool);
      if (limits.size() > 1) {
        common(tool, limits);
      }
      limits.stream()
          .filter(index -> endsLoop(tool))
          .findFirst()
          .ifPresent(index ->
              faults.add(
                  index,
                  Part.RULE_TYPE,
                  Kind.RULE_CONFLICT,
                  "the loop cannot both end (ExitLoop) and go on with another tool (%s) after %s."
                      .formatted(rules.get(index).type().kind().pascal(), named(tool))));
    }
  }

  /// The rules that limit the tools after that tool, by name or for all.
  private List<Integer> limits(String tool) {
    return IntStream.range(0, rules.size())
        .filter(i -> RuleCompiler.limitsTheNext(rules.get(i)))
        .filter(i -> RuleCompiler.concerns(rules.get(i), tool, rules.get(i).type().tools()))
        .boxed()
        .toList();
  }

  private void common(String tool, List<Integer> limits) {
    Set<String> left = new LinkedHashSet<>(rules.get(limits.getFirst()).type().tools());
    for (int index : limits) {
      Set<String> before = Set.copyOf(left);
      left.retainAll(rules.get(index).type().tools());
      if (left.isEmpty() && !before.isEmpty()) {
        faults.add(
            index,
            Part.CONDITIONS,
            Kind.RULE_CONFLICT,
            "no tool may follow %s: its %s have none in common."
                .formatted(named(tool), kinds(limits)));
        return;
      }
    }
  }

  private String kinds(List<Integer> limits) {
    return limits.stream()
            .map(index -> rules.get(index).type().kind().pascal())
            .distinct()
            .collect(Collectors.joining(" and "))
        + " rules";
  }

  private boolean endsLoop(String tool) {
    return rules.stream()
        .anyMatch(rule -> rule.tool().equals(tool) && rule.type().kind() == RuleKind.EXIT_LOOP);
  }

  private static String named(String tool) {
    return tool.equals(ToolRule.ANY) ? "any tool" : Quoted.name(tool);
  }

  private void operations() {
    Set<String> tools = new LinkedHashSet<>(List.of(ToolRule.ANY));
    rules.stream()
        .filter(rule -> rule.type() instanceof RuleType.AllowedOperations)
        .forEach(rule -> tools.add(rule.tool()));
    for (String tool : tools) {
      int last = disjoint(tool);
      if (last >= 0) {
        faults.add(
            last,
            Part.CONDITIONS,
            Kind.RULE_CONFLICT,
            "no operation of %s is left: its AllowedOperations have none in common."
                .formatted(named(tool)));
      }
      if (last >= 0 && tool.equals(ToolRule.ANY)) {
        return;
      }
    }
  }

  /// The last of the rules that together leave no operation, or -1. An empty list is a separate
  /// fault.
  private int disjoint(String tool) {
    Set<String> left = null;
    int last = -1;
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).isFor(tool)
          && rules.get(i).type() instanceof RuleType.AllowedOperations(var allowed)
          && !allowed.isEmpty()) {
        left = left == null ? new LinkedHashSet<>(allowed) : left;
        left.retainAll(allowed);
        last = i;
      }
    }
    return left != null && left.isEmpty() ? last : -1;
  }
}
