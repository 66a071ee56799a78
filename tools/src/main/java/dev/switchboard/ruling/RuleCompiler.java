package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.ToolChecks.Counted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Compiles rules to checks for each tool.
final class RuleCompiler {
  private final List<ToolRule> rules;
  private final Map<String, OperationArgument> operations; // by tool
  private final List<StartTool> starts;
  private final Map<ToolRule.Scope, Set<String>> counted = new EnumMap<>(ToolRule.Scope.class);

  /// @param rules by priority
  RuleCompiler(List<ToolRule> rules, Map<String, OperationArgument> operations) {
    this.rules = rules;
    this.operations = operations;
    starts = startTools(rules);
    for (ToolRule rule : rules) {
      counted.computeIfAbsent(scope(rule), scope -> new HashSet<>()).addAll(counts(rule));
    }
  }

  /// Of several rules for the same start tool, the first with arguments states them.
  private static List<StartTool> startTools(List<ToolRule> rules) {
    Map<List<Object>, StartTool> starts = new LinkedHashMap<>();
    for (ToolRule rule : rules) {
      if (rule.type() instanceof RuleType.StartConstraint start && !isForAll(rule)) {
        StartTool tool = new StartTool(rule.tool(), rule.scope(), start.args(), start.auto());
        starts.merge(
            List.of(tool.name(), tool.scope()),
            tool,
            (one, other) -> one.args() == null ? other : one);
      }
    }
    return List.copyOf(starts.values());
  }

  private static boolean isForAll(ToolRule rule) {
    return rule.tool().equals(ToolRule.ANY);
  }

  /// The scope of a requirement before an exit, at most the conversation.
  private static ToolRule.Scope scope(ToolRule rule) {
    boolean required =
        rule.type() instanceof RuleType.RequiredBeforeExit
            || rule.type() instanceof RuleType.RequiredBeforeExitIf;
    return required && rule.scope() == ToolRule.Scope.AGENT
        ? ToolRule.Scope.CONVERSATION
        : rule.scope();
  }

  /// The tools whose uses the rule counts.
  private static Collection<String> counts(ToolRule rule) {
    return switch (rule.type()) {
      case RuleType.RequiresPreceding(var tools) -> tools;
      case RuleType.RequiresFollowing(var tools) -> tools;
      case RuleType.ExclusiveGroups groups -> groups.tools();
      case RuleType.StartConstraint start -> List.of(rule.tool());
      case RuleType.MaxCalls max -> List.of(rule.tool());
      case RuleType.Cooldown cooldown -> List.of(rule.tool());
      case RuleType.RequiredBeforeExit required -> List.of(rule.tool());
      case RuleType.RequiredBeforeExitIf(var tools) ->
          Stream.concat(Stream.of(rule.tool()), tools.stream()).toList();
      case RuleType.ExitLoop exit -> List.of();
      case RuleType.ContinueLoop more -> List.of();
      case RuleType.RequiresConsent consent -> List.of();
      case RuleType.Forbidden forbidden -> List.of();
      case RuleType.AllowedOperations operations -> List.of();
      case RuleType.Periodic periodic -> List.of(rule.tool());
      case RuleType.Child child -> List.of();
      case RuleType.Parent parent -> List.of();
      case RuleType.Conditional conditional -> List.of();
      case RuleType.Needed needed -> List.of();
    };
  }

  /// The periodic tools, by priority.
  ///
  /// @param tools of a rule for all
  List<PeriodicTool> periodic(Collection<String> tools) {
    List<PeriodicTool> found = new ArrayList<>();
    for (ToolRule rule : rules) {
      if (rule.type() instanceof RuleType.Periodic(var every)) {
        Collection<String> called = isForAll(rule) ? tools : List.of(rule.tool());
        called.forEach(tool -> found.add(new PeriodicTool(tool, rule.scope(), every)));
      }
    }
    return List.copyOf(found);
  }

  List<StartTool> starts() {
    return starts;
  }

  /// The tools that have to succeed before the loop ends.
  ///
  /// @param tools of a rule for all
  List<Requirement> requirements(Collection<String> tools) {
    List<Requirement> found = new ArrayList<>();
    for (ToolRule rule : rules) {
      Collection<String> required = isForAll(rule) ? tools : List.of(rule.tool());
      if (rule.type() instanceof RuleType.RequiredBeforeExit) {
        required.forEach(tool -> found.add(new Requirement(tool, scope(rule), List.of())));
      } else if (rule.type() instanceof RuleType.RequiredBeforeExitIf(var conditions)) {
        required.forEach(tool -> found.add(new Requirement(tool, scope(rule), conditions)));
      }
    }
    return List.copyOf(found);
  }

  /// The tools that a rule names, or that state something of their operations.
  Set<String> names() {
    Set<String> names = new LinkedHashSet<>(operations.keySet());
    for (ToolRule rule : rules) {
      names.add(rule.tool());
      names.addAll(counts(rule));
      names.addAll(rule.type().tools());
    }
    names.remove(ToolRule.ANY);
    return names;
  }

  ToolChecks checks(String tool) {
    List<Check> checks = new ArrayList<>();
    for (ToolRule rule : rules) {
      for (Check check : checks(rule, tool)) {
        if (checks.stream().noneMatch(earlier -> earlier.covers(check))) {
          checks.add(check);
        }
      }
    }
    List<ToolRule> own = rules.stream().filter(rule -> rule.isFor(tool)).toList();
    boolean here =
        isCounted(tool, ToolRule.Scope.TURN) || isCounted(tool, ToolRule.Scope.CONVERSATION);
    Counted uses = new Counted(here, isCounted(tool, ToolRule.Scope.AGENT));
    return new ToolChecks(checks, own, uses, succession(tool));
  }

  /// The rules about the step after the tool, and the arguments of its calls.
  private Succession succession(String tool) {
    List<RuleType> limits =
        rules.stream()
            .filter(rule -> limitsTheNext(rule) && concerns(rule, tool, rule.type().tools()))
            .map(ToolRule::type)
            .toList();
    List<Prefill> prefills = new ArrayList<>();
    for (ToolRule rule : rules) {
      if (rule.type() instanceof RuleType.StartConstraint start
          && start.args() != null
          && rule.tool().equals(tool)) {
        prefills.add(new Prefill.OfStart(tool, rule.scope(), start.args()));
      } else if (rule.type() instanceof RuleType.Child(var children, var args)
          && args.containsKey(tool)) {
        prefills.add(
            new Prefill.OfChild(rule.tool(), children, args.getOrDefault(tool, Json.EMPTY_OBJECT)));
      }
    }
    return new Succession(rules.stream().anyMatch(RuleCompiler::limitsTheNext), limits, prefills);
  }

  /// Whether the rule sets arguments of calls.
  static boolean setsArguments(ToolRule rule) {
    return rule.type() instanceof RuleType.StartConstraint start && start.args() != null
        || rule.type() instanceof RuleType.Child(var children, var args) && !args.isEmpty();
  }

  /// Whether the rule limits the next step.
  static boolean limitsTheNext(ToolRule rule) {
    return rule.type() instanceof RuleType.Child
        || rule.type() instanceof RuleType.Parent
        || rule.type() instanceof RuleType.Conditional;
  }

  private boolean isCounted(String tool, ToolRule.Scope scope) {
    Set<String> names = counted.getOrDefault(scope, Set.of());
    return names.contains(tool) || names.contains(ToolRule.ANY);
  }

  private List<Check> checks(ToolRule rule, String tool) {
    ToolRule.Scope scope = rule.scope();
    return switch (rule.type()) {
      case RuleType.StartConstraint start -> gate(rule, tool);
      case RuleType.RequiresPreceding(var tools) ->
          when(waits(rule, tool, tools), () -> new Check.After(scope, distinct(tools)));
      case RuleType.RequiresFollowing(var tools) ->
          when(waits(rule, tool, tools), () -> new Check.Before(scope, distinct(tools)));
      case RuleType.MaxCalls(int max) -> when(rule.isFor(tool), () -> new Check.Limit(scope, max));
      case RuleType.Cooldown(var length) ->
          when(rule.isFor(tool) && !length.isZero(), () -> new Check.Pause(scope, length));
      case RuleType.ExclusiveGroups(var groups) -> groups(scope, groups, tool);
      case RuleType.Forbidden never -> when(rule.isFor(tool), Check.Never::new);
      case RuleType.AllowedOperations(var allowed) ->
          when(rule.isFor(tool), () -> new Check.Operation(operations(tool, allowed), left(tool)));
      case RuleType.ExitLoop exit -> List.of();
      case RuleType.ContinueLoop more -> List.of();
      case RuleType.RequiredBeforeExit required -> List.of();
      case RuleType.RequiredBeforeExitIf required -> List.of();
      case RuleType.RequiresConsent consent -> List.of();
      case RuleType.Periodic periodic -> List.of();
      case RuleType.Needed needed -> List.of();
      case RuleType.Child child -> List.of(new Check.Next());
      case RuleType.Conditional conditional -> List.of(new Check.Next());
      case RuleType.Parent(var children) ->
          children.contains(tool)
              ? List.of(new Check.RightAfter(rule.tool(), children), new Check.Next())
              : List.of(new Check.Next());
    };
  }

  private static List<Check> when(boolean holds, Supplier<Check> check) {
    return holds ? List.of(check.get()) : List.of();
  }

  private Operations operations(String tool, List<String> allowed) {
    return Operations.of(operations.getOrDefault(tool, OperationArgument.USUAL), allowed);
  }

  /// The operations that all rules of the tool allow.
  private Operations left(String tool) {
    return rules.stream()
        .filter(rule -> rule.isFor(tool))
        .map(ToolRule::type)
        .filter(RuleType.AllowedOperations.class::isInstance)
        .map(type -> operations(tool, ((RuleType.AllowedOperations) type).operations()))
        .reduce(Operations::and)
        .orElseThrow();
  }

  /// A start tool does not wait for the others, only for what its own rules require.
  private List<Check> gate(ToolRule rule, String tool) {
    if (isForAll(rule) || starts.stream().anyMatch(start -> start.name().equals(tool))) {
      return List.of();
    }
    List<String> names =
        starts.stream()
            .filter(start -> start.scope() == rule.scope())
            .map(StartTool::name)
            .toList();
    return List.of(new Check.Gate(rule.scope(), rule.tool(), names));
  }

  /// Whether the rule applies: one for all does not apply to the tools that it names.
  static boolean waits(ToolRule rule, String tool, List<String> others) {
    return !others.isEmpty() && concerns(rule, tool, others);
  }

  /// As [#waits], for a rule that may name no tool.
  static boolean concerns(ToolRule rule, String tool, List<String> others) {
    return isForAll(rule) ? !others.contains(tool) : rule.tool().equals(tool);
  }

  private static List<String> distinct(List<String> names) {
    return names.stream().distinct().toList();
  }

  private static List<Check> groups(ToolRule.Scope scope, List<Set<String>> groups, String tool) {
    List<Check> checks = new ArrayList<>();
    for (Set<String> group : groups) {
      if (group.contains(tool) && group.size() > 1) {
        List<String> others = group.stream().filter(name -> !name.equals(tool)).toList();
        checks.add(new Check.Group(scope, group, others));
      }
    }
    return checks;
  }
}
