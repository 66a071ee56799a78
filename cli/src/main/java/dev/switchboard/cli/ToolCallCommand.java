package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.tool.ToolCall;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard tool call`: calls a tool.
@Command(
    name = "call",
    description = {
      "Call one tool and print what the model reads of its result.",
      "",
      "Progress goes to standard error, a message to the user to standard output. A tool that needs"
          + " consent is run after a yes on standard input. Exits with 1 if the call failed."
    },
    footer = {
      "  switchboard tool call agent.toml check_table '{\"date\":\"2025-03-15\"}'",
      "  switchboard tool call --json agent.toml list_tables '{}'"
    })
final class ToolCallCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private AgentArgument agent;

  @Parameters(index = "1", paramLabel = "NAME", description = "The tool.")
  private String name;

  @Parameters(index = "2", paramLabel = "JSON", description = "The arguments, a JSON object.")
  private String arguments;

  @Option(names = "--json", description = "Print the whole result.")
  private boolean json;

  ToolCallCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    AgentFile file = agent.readAll(terminal);
    try (OpenedStorage kept = OpenedStorage.open(agent.file(), file, terminal.err())) {
      return call(file, kept);
    }
  }

  private int call(AgentFile file, OpenedStorage kept) {
    OneCall call = new OneCall(terminal, json);
    try (ToolExecutor executor =
        AgentArgument.built(
            Switchboard.executor(file, kept.memory()).approver(call.approver())::build)) {
      return call.run(executor, ToolCall.of(name, arguments));
    }
  }
}
