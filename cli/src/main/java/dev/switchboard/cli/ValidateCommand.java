package dev.switchboard.cli;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.config.ConfigFault;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard validate`: every fault of an agent's file.
@Command(
    name = "validate",
    description = {
      "Check an agent's file and say every fault with its line.",
      "",
      "Exits with 2 if there is an error among them, with 0 if there are warnings only."
    },
    footer = {
      "  switchboard validate agent.toml",
      "  switchboard validate --json agent.toml | jq .message"
    })
final class ValidateCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private AgentArgument agent;

  @Option(
      names = "--json",
      description = "Print each fault as {file, line, column, severity, class, message}.")
  private boolean json;

  ValidateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try {
      AgentFile file = AgentFile.read(agent.file());
      say(file.warnings());
      if (!json) {
        terminal.out().println(agent.file() + ": ok (" + summary(file) + ")");
      }
      return 0;
    } catch (ConfigException e) {
      say(e.faults());
      if (!json) {
        terminal.err().println(AgentArgument.summary(agent.file(), e.faults()));
      }
      return 2;
    }
  }

  private void say(List<ConfigFault> faults) {
    for (ConfigFault fault : faults) {
      if (json) {
        terminal.out().println(fault.json());
      } else {
        terminal.err().println(fault);
      }
    }
  }

  private static String summary(AgentFile file) {
    int number = file.tools().size() + file.builtIns().size();
    String tools = AgentArgument.count(number, "tool");
    int warnings = file.warnings().size();
    return warnings == 0 ? tools : tools + ", " + AgentArgument.count(warnings, "warning");
  }
}
