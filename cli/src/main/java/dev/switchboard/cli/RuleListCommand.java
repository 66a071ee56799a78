package dev.switchboard.cli;

import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard agent list rules`: lists an agent's rules.
@Command(
    name = "rules",
    description = "List the agent's rules: tool, type, parameter, priority, scope.",
    footer = {
      "  switchboard agent list rules MyAgent",
      "  switchboard agent list rules MyAgent --json | jq -r .rule_type"
    })
final class RuleListCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private NamedAgent agent;

  @Option(
      names = "--json",
      description =
          "Print each rule as {tool_name, rule_type, conditions or value, priority, scope,"
              + " metadata}.")
  private boolean json;

  RuleListCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    List<ToolRule> rules = agent.work(folder, file -> file.rules());
    if (json) {
      rules.forEach(rule -> terminal.out().println(RuleWords.json(rule)));
    } else if (rules.isEmpty()) {
      terminal.out().println("Agent '" + agent.name() + "' has no rules");
    } else {
      Table.of(rows(rules)).forEach(terminal.out()::println);
    }
  }

  private static List<List<String>> rows(List<ToolRule> rules) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TOOL", "RULE", "PARAMETER", "PRIORITY", "SCOPE"));
    for (ToolRule rule : rules) {
      rows.add(
          List.of(
              rule.tool(),
              RuleKind.of(rule.type()).kebab(),
              RuleWords.parameter(rule.type()),
              String.valueOf(rule.priority()),
              RuleWords.scope(rule)));
    }
    return rows;
  }
}
