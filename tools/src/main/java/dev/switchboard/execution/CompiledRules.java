package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.OperationArgument;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The compiled rules and tools of an agent at one version of the registry.
///
/// @param ofAgent the source rules
/// @param tools by name
/// @param everOffered all tools but forbidden ones
/// @param everRead those as models read them
/// @param empty whether there are no rules
/// @param views whether models read some tools in another form
record CompiledRules(
    List<ToolRule> ofAgent,
    long version,
    RuleSet rules,
    List<ToolDefinition> definitions,
    Map<String, CompiledTool> tools,
    List<ToolDefinition> everOffered,
    List<ToolDefinition> everRead,
    boolean empty,
    boolean views) {
  /// @param more tools of one conversation; the registry's tool wins if the names are equal
  static CompiledRules of(List<ToolRule> ofAgent, ToolRegistry tools, Collection<Tool> more) {
    long version = tools.version();
    List<Tool> all = new ArrayList<>(tools.list());
    more.stream().filter(tool -> tools.find(tool.name()) == null).forEach(all::add);
    List<ToolDefinition> definitions = all.stream().map(Tool::definition).toList();
    List<ToolRule> declared = new ArrayList<>(declared(all));
    all.forEach(tool -> declared.addAll(byOtherNames(ofAgent, tool, tools)));
    List<String> names = all.stream().map(Tool::name).toList();
    RuleSet rules = RuleSet.of(ofAgent, declared, OperationArgument.of(definitions), names);
    Map<String, CompiledTool> compiled = HashMap.newHashMap(all.size());
    all.forEach(
        tool -> compiled.put(tool.name(), new CompiledTool(tool, rules.checks(tool.name()))));
    boolean empty = rules.rules().isEmpty();
    boolean views = all.stream().anyMatch(tool -> !tool.isOfferedAsIs());
    List<ToolDefinition> ever = empty ? definitions : rules.everOffered(definitions);
    List<ToolDefinition> read =
        views
            ? ever.stream().map(narrowed -> offered(compiled, narrowed)).toList()
            : List.copyOf(ever);
    return new CompiledRules(
        ofAgent, version, rules, definitions, compiled, ever, read, empty, views);
  }

  /// The tools, which rules may have narrowed, as a model is given them.
  List<ToolDefinition> offered(List<ToolDefinition> narrowed) {
    return views ? narrowed.stream().map(tool -> offered(tools, tool)).toList() : narrowed;
  }

  /// As [#offered(List)], for a client with checks of its own.
  List<ToolDefinition> stated(List<ToolDefinition> narrowed) {
    return views ? narrowed.stream().map(this::stated).toList() : narrowed;
  }

  /// Those of [#everOffered()], as clients with checks of their own read them.
  List<ToolDefinition> everStated() {
    return stated(everOffered);
  }

  private ToolDefinition stated(ToolDefinition narrowed) {
    CompiledTool known = tools.get(narrowed.name());
    return known == null ? narrowed : known.tool().stated(narrowed);
  }

  private static ToolDefinition offered(Map<String, CompiledTool> tools, ToolDefinition narrowed) {
    CompiledTool known = tools.get(narrowed.name());
    return known == null ? narrowed : known.tool().offered(narrowed);
  }

  /// The rules that restrict the tool by another name of it.
  private static List<ToolRule> byOtherNames(
      List<ToolRule> ofAgent, Tool tool, ToolRegistry tools) {
    Set<String> others = tools.ruledAs(tool.name());
    return others.isEmpty()
        ? List.of()
        : ofAgent.stream()
            .filter(rule -> others.contains(rule.tool()) && rule.type().restricts())
            .map(rule -> rule.tool(tool.name()))
            .toList();
  }

  /// The tools' own rules.
  static List<ToolRule> declared(Collection<Tool> tools) {
    return tools.stream()
        .flatMap(tool -> tool.rules().stream().map(type -> ToolRule.of(tool.name(), type)))
        .toList();
  }
}
