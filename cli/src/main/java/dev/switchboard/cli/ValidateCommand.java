package dev.switchboard.cli;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard validate`: lists every fault of an agent's file.
@Command(
    name = "validate",
    description = {
      "Check an agent's file and list every fault with its line.",
      "",
      "Exits with 2 if there is an error among them, with 0 if there are warnings only. A variable"
          + " that is not set here is a warning, and so is a name that may be that of a tool made"
          + " in Java."
    },
    footer = {
      "  switchboard validate agent.toml",
      "  switchboard validate --tools load_data,save_results agent.toml",
      "  switchboard validate --json agent.toml | jq .message"
    })
final class ValidateCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final FoundAgent agent;

  @Option(
      names = "--tools",
      paramLabel = "NAME",
      split = ",",
      description = "The tools made in Java; any other unknown name is an error.")
  private @Nullable List<String> tools;

  @Option(
      names = "--json",
      description = "Print each fault as {file, line, column, severity, class, message}.")
  private boolean json;

  ValidateCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    agent = new FoundAgent(folder);
  }

  @Override
  public Integer call() {
    try {
      AgentFile file =
          tools == null
              ? AgentFile.check(agent.file())
              : AgentFile.check(agent.file(), tools.stream().map(String::strip).toList());
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

  private void say(List<ConfigException.Fault> faults) {
    for (ConfigException.Fault fault : faults) {
      if (json) {
        terminal.out().println(fault.json());
      } else {
        terminal.err().println(fault);
      }
    }
  }

  private String summary(AgentFile file) {
    StringBuilder summary = new StringBuilder();
    summary.append(AgentArgument.count(file.tools().size() + file.builtIns().size(), "tool"));
    if (file.agent().reply() != null) {
      summary.append(", replies of a form");
    }
    int guardrails = file.agent().guardrails().size();
    if (guardrails > 0) {
      summary.append(", ").append(AgentArgument.count(guardrails, "guardrail"));
    }
    int fallbacks = file.agent().fallbacks().size();
    if (fallbacks > 0) {
      summary.append(", ").append(AgentArgument.count(fallbacks, "fallback model"));
    }
    int warnings = file.warnings().size();
    if (warnings > 0) {
      summary.append(", ").append(AgentArgument.count(warnings, "warning"));
    }
    int java = file.javaTools().size();
    if (java > 0) {
      summary.append("; ").append(AgentArgument.count(java, "tool")).append(" made in Java");
      summary.append(tools == null ? ", not checked" : "");
    }
    return summary.toString();
  }
}
