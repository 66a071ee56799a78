package dev.switchboard.ruling;

import dev.switchboard.rule.RuleKind;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// The rules of an agent, compiled: used for the tools that a model is offered, the text of its
/// prompt, the check of each call and the end of the loop. Immutable, safe for use by several
/// threads.
public final class RuleSet {
  /// No rules.
  public static final RuleSet NONE = of(List.of(), List.of(), Map.of());

  private final List<ToolRule> rules;
  private final Map<String, ToolChecks> checks = new HashMap<>();
  private final ToolChecks others;
  private final List<StartTool> starts;
  private final List<Requirement> requirements;

  private RuleSet(
      List<ToolRule> rules, Map<String, String> operationKeys, Collection<String> tools) {
    this.rules = rules;
    RuleCompiler compiler = new RuleCompiler(rules, Map.copyOf(operationKeys));
    compiler.names().forEach(name -> checks.put(name, compiler.checks(name)));
    // No tool is called so: what holds for a tool that no rule names.
    others = compiler.checks("");
    starts = compiler.starts();
    LinkedHashSet<String> known = new LinkedHashSet<>(tools);
    known.addAll(compiler.names());
    requirements = compiler.requirements(known);
  }

  /// The rules of an agent whose tools are those that they name.
  ///
  /// @param declared the rules that tools bring themselves; one holds unless the agent has a rule
  ///   of the same type for its tool, by name or for all
  /// @param operationKeys by tool, the argument that names its operation, where the tool states one
  public static RuleSet of(
      List<ToolRule> agent, List<ToolRule> declared, Map<String, String> operationKeys) {
    return of(agent, declared, operationKeys, List.of());
  }

  /// The rules of an agent with these tools, each of which a rule for all may require before the
  /// loop ends.
  public static RuleSet of(
      List<ToolRule> agent,
      List<ToolRule> declared,
      Map<String, String> operationKeys,
      Collection<String> tools) {
    List<ToolRule> holding = new ArrayList<>(agent);
    for (ToolRule rule : declared) {
      if (agent.stream().noneMatch(own -> own.isFor(rule.tool()) && isSameType(own, rule))) {
        holding.add(rule);
      }
    }
    holding.sort(Comparator.comparingInt((ToolRule rule) -> -rule.priority()));
    return new RuleSet(List.copyOf(holding), operationKeys, tools);
  }

  /// By tool, the argument that names its operation, where the tool states one.
  public static Map<String, String> operationKeys(List<ToolDefinition> tools) {
    Map<String, String> keys = new HashMap<>();
    for (ToolDefinition tool : tools) {
      String key = tool.operationKey();
      if (key != null) {
        keys.put(tool.name(), key);
      }
    }
    return keys;
  }

  private static boolean isSameType(ToolRule one, ToolRule other) {
    return kind(one) == kind(other);
  }

  /// Whether the loop ends or goes on after a tool is one question.
  private static RuleKind kind(ToolRule rule) {
    RuleKind kind = rule.type().kind();
    return kind == RuleKind.CONTINUE_LOOP ? RuleKind.EXIT_LOOP : kind;
  }

  /// The rules that hold, the highest priority first, then as listed, an agent's before its tools'.
  public List<ToolRule> rules() {
    return rules;
  }

  /// The rules for the calls of that tool.
  public ToolChecks checks(String tool) {
    return checks.getOrDefault(tool, others);
  }

  /// The tools that a model is offered now: those that may run, given the right arguments.
  public Offer offer(List<ToolDefinition> tools, RuleState state, Tallies agent, Instant now) {
    return Offering.of(this, tools, state, agent, now);
  }

  /// The tools of these that a model may ever be offered: those that are not forbidden, with the
  /// operations that the rules allow.
  public List<ToolDefinition> everOffered(List<ToolDefinition> tools) {
    return Offering.ever(this, tools);
  }

  /// The tools that have to succeed before the loop may end and have not, the highest priority
  /// first.
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

  /// Whether a rule lets one of two tools come before the other.
  boolean isFirst(String one, String other) {
    return checks(other).comesAfter(one) || checks(one).comesBefore(other);
  }

  List<StartTool> starts() {
    return starts;
  }
}
