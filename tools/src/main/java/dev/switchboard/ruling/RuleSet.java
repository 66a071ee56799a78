package dev.switchboard.ruling;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The compiled rules of an agent: for the offered tools, the prompt, the check of each call and
/// the end of the loop. Immutable and thread-safe.
public final class RuleSet {
  /// No rules.
  public static final RuleSet NONE = of(List.of(), List.of(), Map.of());

  private final List<ToolRule> rules;
  private final Map<String, ToolChecks> checks = new HashMap<>();
  private final ToolChecks others;
  private final List<StartTool> starts;
  private final List<Requirement> requirements;
  private final List<PeriodicTool> periodic;
  private final boolean hasPeriodic;
  private final boolean hasSteps;
  private final boolean setsArguments;

  private RuleSet(
      List<ToolRule> rules, Map<String, OperationArgument> operations, Collection<String> tools) {
    this.rules = rules;
    RuleCompiler compiler = new RuleCompiler(rules, Map.copyOf(operations));
    compiler.names().forEach(name -> checks.put(name, compiler.checks(name)));
    // No tool has this name: the checks of a tool that no rule names.
    others = compiler.checks("");
    starts = compiler.starts();
    LinkedHashSet<String> known = new LinkedHashSet<>(tools);
    known.addAll(compiler.names());
    requirements = compiler.requirements(known);
    periodic = compiler.periodic(known);
    hasPeriodic = !periodic.isEmpty();
    hasSteps = rules.stream().anyMatch(RuleCompiler::limitsTheNext);
    setsArguments = rules.stream().anyMatch(RuleCompiler::setsArguments);
  }

  /// The rules of an agent whose tools are those that they name.
  ///
  /// @param declared the tools' own rules; a rule of the agent of the same type for the tool, by
  ///   name or for all, replaces one
  /// @param operations by tool, the argument that names its operation, if it is not the usual one
  public static RuleSet of(
      List<ToolRule> agent, List<ToolRule> declared, Map<String, OperationArgument> operations) {
    return of(agent, declared, operations, List.of());
  }

  /// The rules of an agent with these tools, any of which a rule for all may require before the
  /// loop ends.
  public static RuleSet of(
      List<ToolRule> agent,
      List<ToolRule> declared,
      Map<String, OperationArgument> operations,
      Collection<String> tools) {
    List<ToolRule> holding = new ArrayList<>(new LinkedHashSet<>(agent));
    holding.addAll(holding(agent, declared));
    holding.sort(Comparator.comparingInt((ToolRule rule) -> -rule.priority()));
    return new RuleSet(List.copyOf(holding), operations, tools);
  }

  /// The tools' own rules that no rule of the agent replaces.
  public static List<ToolRule> holding(List<ToolRule> agent, List<ToolRule> declared) {
    return declared.stream()
        .filter(rule ->
            agent.stream().noneMatch(own -> own.isFor(rule.tool()) && isSameType(own, rule)))
        .toList();
  }

  private static boolean isSameType(ToolRule one, ToolRule other) {
    return kind(one) == kind(other);
  }

  /// The kind, with one for both answers to whether the loop ends after a tool.
  private static RuleKind kind(ToolRule rule) {
    RuleKind kind = RuleKind.of(rule.type());
    return kind == RuleKind.CONTINUE_LOOP ? RuleKind.EXIT_LOOP : kind;
  }

  /// The effective rules, by priority, then as listed, the agent's before its tools'.
  public List<ToolRule> rules() {
    return rules;
  }

  /// The rules for the calls of that tool.
  public ToolChecks checks(String tool) {
    return checks.getOrDefault(tool, others);
  }

  /// The tools that a model is offered now: those that may run with valid arguments.
  public Offer offer(List<ToolDefinition> tools, RuleState state, Tallies agent, Instant now) {
    return Offering.of(this, tools, state, agent, now);
  }

  /// The tools that a model may ever be offered: those that are not forbidden, with their allowed
  /// operations.
  public List<ToolDefinition> everOffered(List<ToolDefinition> tools) {
    return Offering.ever(this, tools);
  }

  /// The required tools that have not succeeded, by priority.
  public List<String> unmet(RuleState state) {
    if (requirements.isEmpty()) {
      return List.of();
    }
    return requirements.stream()
        .filter(requirement -> requirement.isUnmet(state))
        .map(Requirement::tool)
        .distinct()
        .toList();
  }

  /// The tools of which one has to be called next; empty for no limit.
  public List<String> next(RuleState state) {
    Following last = state.following();
    return last == null || !last.limited() ? List.of() : List.copyOf(last.only());
  }

  /// Whether a rule limits the next step.
  public boolean hasSteps() {
    return hasSteps;
  }

  /// Whether a rule sets arguments of calls.
  public boolean setsArguments() {
    return setsArguments;
  }

  /// Whether a tool is periodic.
  public boolean hasPeriodic() {
    return hasPeriodic;
  }

  /// The tools that are due, by priority.
  public List<String> due(RuleState state, Tallies agent, Instant now) {
    return periodic.stream()
        .filter(tool -> tool.isDue(state, agent, now))
        .map(PeriodicTool::name)
        .distinct()
        .toList();
  }

  /// The call with the arguments that rules set now; unchanged if there are none, or its own are
  /// not an object.
  public ToolCall prefilled(ToolCall call, RuleState state, Tallies agent) {
    ObjectNode set = checks(call.name()).prefilled(state, agent);
    if (set == null) {
      return call;
    }
    try {
      boolean empty = call.arguments().text().isEmpty();
      JsonNode own = empty ? Codec.object() : call.arguments().tree();
      return own.isObject()
          ? new ToolCall(call.id(), call.name(), Json.of(((ObjectNode) own.deepCopy()).setAll(set)))
          : call;
    } catch (JsonException e) {
      // Its check reports the fault.
      return call;
    }
  }

  /// Whether a rule requires the first tool before the second.
  boolean isFirst(String one, String other) {
    return checks(other).comesAfter(one) || checks(one).comesBefore(other);
  }

  List<StartTool> starts() {
    return starts;
  }
}
