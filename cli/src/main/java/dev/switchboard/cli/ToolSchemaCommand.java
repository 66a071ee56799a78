package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.check.Closest;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// `switchboard tool schema`: prints the tool definitions for a model.
@Command(
    name = "schema",
    description = {
      "Print the tools' definitions as the model sees them.",
      "",
      "Each is a line of JSON: {name, description, parameters}, and strict where it is true. Exits"
          + " with 1 if an MCP server of the file is not there."
    },
    footer = {
      "  switchboard tool schema agent.toml",
      "  switchboard tool schema agent.toml check_table | jq .parameters"
    })
final class ToolSchemaCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private AgentArgument agent;

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Only this tool.")
  private @Nullable String name;

  ToolSchemaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (ToolExecutor executor =
        AgentArgument.built(Switchboard.executor(agent.readAll(terminal))::build)) {
      print(executor.modelDefinitions());
      return name == null && ToolListCommand.missing(executor, terminal) ? 1 : 0;
    }
  }

  private void print(List<ToolDefinition> tools) {
    List<ToolDefinition> wanted =
        name == null ? tools : tools.stream().filter(tool -> tool.name().equals(name)).toList();
    if (name != null && wanted.isEmpty()) {
      throw unknown(name, tools);
    }
    wanted.forEach(tool -> terminal.out().println(definition(tool)));
  }

  private static Failure unknown(String name, List<ToolDefinition> tools) {
    List<String> closest = Closest.to(name, tools.stream().map(ToolDefinition::name).toList());
    String hint = closest.isEmpty() ? "" : "; did you mean '" + closest.getFirst() + "'?";
    return Failure.usage(
        "The agent has no tool '" + name + "'" + (hint.isEmpty() ? "." : hint), null);
  }

  private static Json definition(ToolDefinition tool) {
    ObjectNode definition = Codec.object();
    definition.put("name", tool.name());
    definition.put("description", tool.description());
    definition.set("parameters", tool.parameters().tree());
    if (tool.strict()) {
      definition.put("strict", true);
    }
    return Json.of(definition);
  }
}
