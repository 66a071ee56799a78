package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable.StatedRule;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault;
import dev.switchboard.ruling.RuleLint;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The rules of an agent's file, each with its entry.
final class RuleList {
  private final List<StatedRule> stated;
  private final List<ToolRule> rules = new ArrayList<>();
  private final List<StatedRule> origins = new ArrayList<>(); // one for each rule
  private boolean faulty;

  private RuleList(List<StatedRule> stated) {
    this.stated = stated;
  }

  static RuleList of(List<StatedRule> stated) {
    RuleList list = new RuleList(stated);
    for (StatedRule one : stated) {
      list.faulty |= one.rules().isEmpty();
      for (ToolRule rule : one.rules()) {
        list.rules.add(rule);
        list.origins.add(one);
      }
    }
    return list;
  }

  List<ToolRule> rules() {
    return List.copyOf(rules);
  }

  /// Reports the rules that are for none of these tools, by name only: for a file that has other
  /// errors.
  ///
  /// @param known empty if the tools are unknown
  /// @param unknown the severity of another name, null if it is not checked
  /// @param misspelt whether all unknown names are misspelt
  /// @param elsewhere whether a name may be that of a tool which is not read here
  void checkTools(
      Collection<String> known,
      @Nullable Severity unknown,
      boolean misspelt,
      Predicate<String> elsewhere) {
    if (known.isEmpty() || unknown == null) {
      return;
    }
    for (StatedRule rule : stated) {
      String tool = rule.tool();
      if (tool != null
          && !tool.equals(ToolRule.ANY)
          && !known.contains(tool)
          && !ToolNames.RESERVED.contains(tool)
          && !elsewhere.test(tool)) {
        String sentence =
            "%s is for '%s', but no tool has that name%s"
                .formatted(rule.at().path(), tool, rule.at().closest(tool, known));
        rule.at()
            .member("tool_name")
            .report(
                AgentTools.severity(unknown, misspelt, sentence),
                FaultClass.UNKNOWN_TOOL,
                sentence);
      }
    }
  }

  /// The tools that the agent has because a rule needs them.
  Set<String> needed() {
    return rules.stream()
        .filter(rule -> rule.type() instanceof RuleType.Needed)
        .map(ToolRule::tool)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /// The names of tools in the rules that only MCP servers may have, each with a warning: reading a
  /// file starts no server.
  Set<String> ofServers(Predicate<String> mayBe) {
    Set<String> names = new LinkedHashSet<>();
    for (StatedRule rule : stated) {
      String tool = rule.tool();
      if (tool != null && !tool.equals(ToolRule.ANY) && mayBe.test(tool)) {
        names.add(tool);
        rule.at()
            .member("tool_name")
            .warning(
                FaultClass.UNKNOWN_TOOL,
                rule.at().path()
                    + " is for '"
                    + tool
                    + "', which only an MCP server can have; it is checked when the server is"
                    + " reached");
      }
    }
    RuleLint.names(rules).stream().filter(mayBe).forEach(names::add);
    return names;
  }

  /// Reports faults between rules. Invalid rules are left out, since they would cause further
  /// faults.
  ///
  /// @param tools the agent's known ones
  /// @param elsewhere the names of its others
  /// @param unknown the severity of another name, null if it is not checked
  /// @param misspelt whether all unknown names are misspelt
  void check(
      List<ToolDefinition> tools,
      Collection<String> elsewhere,
      @Nullable Severity unknown,
      boolean misspelt) {
    if (faulty) {
      return;
    }
    List<ToolDefinition> named = new ArrayList<>(tools);
    elsewhere.forEach(name -> named.add(unseen(name)));
    List<RuleFault> all = unknown == null ? List.of() : RuleLint.faults(rules, named);
    List<RuleFault> names =
        all.stream().filter(fault -> fault.kind() == RuleFault.Kind.UNKNOWN_TOOL).toList();
    if (unknown != null && elsewhere.isEmpty() && (unknown == Severity.ERROR || names.isEmpty())) {
      report(all);
    } else {
      report(RuleLint.faultsBeside(rules, tools));
      Severity usual = unknown == null ? Severity.ERROR : unknown;
      names.forEach(fault -> report(fault, AgentTools.severity(usual, misspelt, fault.message())));
    }
  }

  private static ToolDefinition unseen(String name) {
    ToolMode mode = ToolMode.infer(name);
    return new ToolDefinition(
        name, "", Json.EMPTY_OBJECT, false, mode, null, null, List.of(), null);
  }

  void report(List<RuleFault> faults) {
    faults.forEach(
        fault -> report(fault, fault.kind().isError() ? Severity.ERROR : Severity.WARNING));
  }

  private void report(RuleFault fault, Severity severity) {
    StatedValue place = place(origins.get(fault.rule()), fault.part());
    String sentence = fault.message().replaceFirst("\\.$", "");
    place.report(severity, FaultClass.valueOf(fault.kind().name()), sentence);
  }

  /// The position of that part; conditions may be in the type.
  private static StatedValue place(StatedRule rule, RuleFault.Part part) {
    String key =
        switch (part) {
          case TOOL_NAME -> "tool_name";
          case RULE_TYPE -> "rule_type";
          case CONDITIONS -> !rule.at().has("conditions") ? "rule_type" : "conditions";
        };
    return rule.at().member(key);
  }
}
