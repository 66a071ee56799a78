package dev.switchboard.config;

import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault;
import dev.switchboard.ruling.RuleLint;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of an agent's file, each with its entry.
final class RuleList {
  private final List<ToolRule> rules = new ArrayList<>();
  private final List<RuleSection> entries = new ArrayList<>(); // one for each rule
  private final List<RuleSection> sections = new ArrayList<>(); // faulty ones too
  private boolean faulty;

  private RuleList() {}

  static RuleList read(@Nullable Value list) {
    RuleList read = new RuleList();
    for (Value item : list == null ? List.<Value>of() : list.items()) {
      Section section = item.section(Keys.TOOL_RULE);
      read.add(section == null ? null : new RuleSection(section));
    }
    return read;
  }

  private void add(@Nullable RuleSection entry) {
    if (entry != null) {
      sections.add(entry);
    }
    List<ToolRule> more = entry == null ? List.of() : entry.rules();
    faulty |= more.isEmpty();
    for (ToolRule rule : more) {
      rules.add(rule);
      entries.add(entry);
    }
  }

  List<ToolRule> rules() {
    return List.copyOf(rules);
  }

  /// Reports the rules that are for none of these tools, by name alone: for a file that has other
  /// errors.
  ///
  /// @param known none where they are not known
  /// @param unknown the severity of another name, null where it is not judged
  void checkTools(Collection<String> known, @Nullable Severity unknown) {
    if (!known.isEmpty() && unknown != null) {
      sections.forEach(section -> section.checkTool(known, unknown));
    }
  }

  /// Reports what is wrong with the rules as a whole. What is wrong with one of them would only
  /// lead to more that is not there.
  ///
  /// @param tools the agent's that are here
  /// @param elsewhere the names of its others
  /// @param unknown the severity of a name that is none of these, null where it is not judged
  void check(List<ToolDefinition> tools, Collection<String> elsewhere, @Nullable Severity unknown) {
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
      names.forEach(fault -> report(fault, unknown == null ? Severity.ERROR : unknown));
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
    Place place = entries.get(fault.rule()).place(fault.part());
    String sentence = fault.message().replaceFirst("\\.$", "");
    place.report(severity, FaultClass.valueOf(fault.kind().name()), sentence);
  }
}
