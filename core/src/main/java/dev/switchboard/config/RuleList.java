package dev.switchboard.config;

import dev.switchboard.rule.RuleFault;
import dev.switchboard.rule.RuleLint;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of an agent's file, each with the entry that it stands in.
final class RuleList {
  private final List<ToolRule> rules = new ArrayList<>();
  private final List<RuleSection> entries = new ArrayList<>();
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

  /// Reports what is wrong with the rules as a whole. What is wrong with one of them would only
  /// lead to more that is not there.
  ///
  /// @param tools the agent's, as far as they are known
  /// @param all whether those are all
  void check(List<ToolDefinition> tools, boolean all) {
    if (!faulty) {
      report(all ? RuleLint.faults(rules, tools) : RuleLint.faultsBeside(rules, tools));
    }
  }

  void report(List<RuleFault> faults) {
    faults.forEach(this::report);
  }

  private void report(RuleFault fault) {
    Place place = entries.get(fault.rule()).place(fault.part());
    String sentence = fault.message().replaceFirst("\\.$", "");
    FaultClass kind = FaultClass.valueOf(fault.kind().name());
    if (fault.kind().isError()) {
      place.error(kind, sentence);
    } else {
      place.warning(kind, sentence);
    }
  }
}
