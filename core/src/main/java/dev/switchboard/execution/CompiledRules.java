package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.policy.ConsentPolicy;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// What was made of an agent's rules and its tools at one version of the registry.
///
/// @param ofAgent the rules that it was made of
/// @param policies made when a tool is first asked for; a tool that was replaced keeps its own
record CompiledRules(
    List<ToolRule> ofAgent,
    long version,
    RuleSet rules,
    List<ToolDefinition> definitions,
    Map<Tool, ConsentPolicy> policies) {
  /// @param more tools of one conversation alone; one whose name the registry has does not count
  static CompiledRules of(List<ToolRule> ofAgent, ToolRegistry tools, Collection<Tool> more) {
    long version = tools.version();
    List<Tool> all = new ArrayList<>(tools.list());
    more.stream().filter(tool -> tools.find(tool.name()) == null).forEach(all::add);
    List<ToolDefinition> definitions = all.stream().map(Tool::definition).toList();
    List<ToolRule> declared = all.stream().flatMap(CompiledRules::declared).toList();
    List<String> names = all.stream().map(Tool::name).toList();
    RuleSet rules = RuleSet.of(ofAgent, declared, RuleSet.operationKeys(definitions), names);
    return new CompiledRules(ofAgent, version, rules, definitions, new ConcurrentHashMap<>());
  }

  private static Stream<ToolRule> declared(Tool tool) {
    return tool.rules().stream().map(type -> ToolRule.of(tool.name(), type));
  }

  /// When calls of that tool need a person's consent.
  ConsentPolicy policy(Tool tool) {
    return policies.computeIfAbsent(
        tool, known -> ConsentPolicy.of(known.definition(), consent(known)));
  }

  /// The rules that hold for it. One that was replaced while its call was on the way is asked about
  /// by its own rules too.
  private List<ToolRule> consent(Tool tool) {
    Stream<ToolRule> holding = rules.checks(tool.name()).consent().stream();
    return definitions.contains(tool.definition())
        ? holding.toList()
        : Stream.concat(holding, declared(tool)).distinct().toList();
  }
}
