package dev.switchboard.ruling;

import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault.Kind;
import dev.switchboard.ruling.RuleFault.Part;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Finds rules that contradict each other, or make another one redundant.
final class PairLint {
  private static final EnumMap<RuleKind, Integer> NONE = new EnumMap<>(RuleKind.class);

  private final List<ToolRule> rules;
  private final RuleFaults faults;
  private final Map<String, List<Integer>> next = new HashMap<>(); // that limit it, by tool
  private final Map<String, List<Integer>> operations = new HashMap<>(); // allowed, by tool
  private final Map<Alike, List<Integer>> alike = new HashMap<>();
  private final Map<String, EnumMap<RuleKind, Integer>> first = new HashMap<>(); // by tool

  /// Rules that may make each other void.
  ///
  /// @param type the kind if its numbers are compared
  private record Alike(String tool, ToolRule.Scope scope, Object type) {
    private static Alike of(ToolRule rule, String tool) {
      boolean compared =
          rule.type() instanceof RuleType.MaxCalls || rule.type() instanceof RuleType.Cooldown;
      return new Alike(tool, rule.scope(), compared ? RuleKind.of(rule.type()) : rule.type());
    }
  }

  PairLint(List<ToolRule> rules, RuleFaults faults) {
    this.rules = rules;
    this.faults = faults;
    for (int i = 0; i < rules.size(); i++) {
      ToolRule rule = rules.get(i);
      String tool = rule.tool();
      if (RuleCompiler.limitsTheNext(rule)) {
        next.computeIfAbsent(tool, name -> new ArrayList<>()).add(i);
      } else if (rule.type() instanceof RuleType.AllowedOperations) {
        operations.computeIfAbsent(tool, name -> new ArrayList<>()).add(i);
      }
      alike.computeIfAbsent(Alike.of(rule, tool), one -> new ArrayList<>()).add(i);
      first
          .computeIfAbsent(tool, name -> new EnumMap<>(RuleKind.class))
          .putIfAbsent(RuleKind.of(rule.type()), i);
    }
  }

  /// The rules by name and those for all, in their order.
  private static <K> IntStream both(Map<K, List<Integer>> of, K named, K any) {
    List<Integer> own = of.getOrDefault(named, List.of());
    List<Integer> all = named.equals(any) ? List.of() : of.getOrDefault(any, List.of());
    return all.isEmpty()
        ? own.stream().mapToInt(i -> i)
        : Stream.concat(own.stream(), all.stream()).mapToInt(i -> i).sorted();
  }

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
    RuleKind kind = RuleKind.of(rule.type());
    RuleKind opposite =
        kind == RuleKind.EXIT_LOOP
            ? RuleKind.CONTINUE_LOOP
            : kind == RuleKind.CONTINUE_LOOP ? RuleKind.EXIT_LOOP : null;
    boolean contradicts = opposite != null && first(rule.tool(), opposite) < index;
    if (contradicts) {
      String tool = rule.tool().equals(ToolRule.ANY) ? "every tool" : Quoted.name(rule.tool());
      faults.add(
          index,
          Part.RULE_TYPE,
          Kind.RULE_CONFLICT,
          "the loop cannot both end (ExitLoop) and go on (ContinueLoop) after %s.".formatted(tool));
    }
  }

  /// The index of the first rule of that kind by that name; high if there is none.
  private int first(String tool, RuleKind kind) {
    Integer index = first.getOrDefault(tool, NONE).get(kind);
    return index == null ? Integer.MAX_VALUE : index;
  }

  private void duplicate(int index) {
    ToolRule rule = rules.get(index);
    if (faults.isFull(Kind.DUPLICATE_RULE)) {
      return;
    }
    both(alike, Alike.of(rule, rule.tool()), Alike.of(rule, ToolRule.ANY))
        .filter(i -> i != index && makesVoid(rules.get(i), rule, i < index))
        .findFirst()
        .ifPresent(i -> {
          String other =
              rules.get(i).tool().equals(rule.tool())
                  ? "another such rule"
                  : RuleFaults.label(rules.get(i));
          String sentence =
              "%s changes nothing: %s is at least as strict."
                  .formatted(RuleFaults.label(rule), other);
          faults.add(index, Part.RULE_TYPE, Kind.DUPLICATE_RULE, sentence);
        });
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
                      .formatted(RuleKind.of(rules.get(index).type()).pascal(), named(tool))));
    }
  }

  /// The rules that limit the tools after that tool, by name or for all.
  private List<Integer> limits(String tool) {
    return both(next, tool, ToolRule.ANY)
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
            .map(index -> RuleKind.of(rules.get(index).type()).pascal())
            .distinct()
            .collect(Collectors.joining(" and "))
        + " rules";
  }

  private boolean endsLoop(String tool) {
    return first(tool, RuleKind.EXIT_LOOP) < rules.size();
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
    for (int i : both(operations, tool, ToolRule.ANY).toArray()) {
      if (rules.get(i).type() instanceof RuleType.AllowedOperations(var allowed)
          && !allowed.isEmpty()) {
        left = left == null ? new LinkedHashSet<>(allowed) : left;
        left.retainAll(allowed);
        last = i;
      }
    }
    return left != null && left.isEmpty() ? last : -1;
  }
}
