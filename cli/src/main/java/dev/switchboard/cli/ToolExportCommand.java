package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ToolExecutor;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard tool export`: prints an agent's tools in other formats.
@Command(
    name = "export",
    description = {
      "Print the agent's tools in the form of others.",
      "",
      "openai is a list for chat completions, anthropic one for messages, mcp what a server answers"
          + " to tools/list, openapi a document with an operation for each tool. Exits with 1 if an"
          + " MCP server of the file is not there."
    },
    footer = {
      "  switchboard tool export agent.toml --format openai > tools.json",
      "  switchboard tool export agent.toml --format openapi"
    })
final class ToolExportCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private AgentArgument agent;

  @Option(
      names = "--format",
      required = true,
      paramLabel = "FORM",
      description = "The form: openai, anthropic, mcp or openapi.")
  private String format = "";

  ToolExportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ToolForms form = form(format);
    AgentFile file = agent.readAll(terminal);
    try (ToolExecutor executor = AgentArgument.built(Switchboard.executor(file)::build)) {
      terminal
          .out()
          .println(form.write(file.agent().name(), executor.modelDefinitions()).toPrettyString());
      return ToolListCommand.missing(executor, terminal) ? 1 : 0;
    }
  }

  private static ToolForms form(String word) {
    for (ToolForms form : ToolForms.values()) {
      if (form.name().toLowerCase(Locale.ROOT).equals(word)) {
        return form;
      }
    }
    throw Failure.usage(
        "--format must be openai, anthropic, mcp or openapi, not '" + word + "'.", null);
  }
}
