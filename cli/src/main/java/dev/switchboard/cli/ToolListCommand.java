package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// `switchboard tool list`: lists an agent's tools.
@Command(
    name = "list",
    description = {
      "List the agent's tools: name, mode, description.",
      "",
      "Exits with 1 if an MCP server of the file is not there, so that its tools are missing."
    },
    footer = {
      "  switchboard tool list agent.toml",
      "  switchboard tool list --json agent.toml | jq -r .name"
    })
final class ToolListCommand implements Callable<Integer> {
  private static final int WIDTH = 100; // of a description; --json prints the whole text

  private final Terminal terminal;

  @Mixin private AgentArgument agent;

  @Option(names = "--json", description = "Print each tool as {name, mode, delivery, description}.")
  private boolean json;

  ToolListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (ToolExecutor executor =
        AgentArgument.built(Switchboard.executor(agent.readAll(terminal))::build)) {
      print(executor, json, terminal);
      return missing(executor, terminal) ? 1 : 0;
    }
  }

  /// Whether tools are missing since a server is not there; each is named on standard error.
  static boolean missing(ToolExecutor executor, Terminal terminal) {
    List<ToolRegistry.Source.State> away =
        executor.sources().stream().filter(source -> !source.ready()).toList();
    for (ToolRegistry.Source.State source : away) {
      terminal
          .err()
          .println(
              "switchboard: the tools of '%s' are missing: %s"
                  .formatted(source.name(), Plain.line(source.detail())));
    }
    return !away.isEmpty();
  }

  /// Prints the tools as a table, or each as JSON.
  static void print(ToolExecutor executor, boolean json, Terminal terminal) {
    List<ToolDefinition> tools = executor.definitions();
    if (json) {
      tools.forEach(
          tool -> terminal.out().println(object(tool, executor.tools().find(tool.name()))));
    } else {
      table(tools).forEach(terminal.out()::println);
    }
  }

  private static Json object(ToolDefinition tool, @Nullable Tool registered) {
    ObjectNode out = Codec.object().put("name", tool.name()).put("mode", tool.mode().word());
    if (registered != null) {
      out.put("delivery", registered.options().delivery().word());
    }
    return Json.of(out.put("description", tool.description()));
  }

  private static List<String> table(List<ToolDefinition> tools) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAME", "MODE", "DESCRIPTION"));
    for (ToolDefinition tool : tools) {
      String description = Plain.cut(tool.description(), WIDTH);
      rows.add(List.of(tool.name(), tool.mode().word(), description));
    }
    return Table.of(rows);
  }
}
