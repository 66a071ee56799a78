package dev.switchboard.cli;

import dev.switchboard.ruling.RuleKind;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `switchboard agent remove rule`: removes the rules of a tool from an agent's file.
@Command(
    name = "rule",
    description = {
      "Remove the rules of a tool from an agent's file, all of them or those of a type.",
      "",
      "The comments directly above a rule go with it; the rest of the file does not change. Exits"
          + " with 1 if there is no such rule."
    },
    footer = {
      "  switchboard agent remove rule MyAgent send_message",
      "  switchboard agent remove rule MyAgent send_message exit-loop"
    })
final class RuleRemoveCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private NamedAgent agent;

  @Parameters(index = "1", paramLabel = "TOOL", description = "The tool, or '*'.")
  private String tool;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "TYPE",
      completionCandidates = RuleNames.class,
      description = "Only the rules of this type.")
  private @Nullable String type;

  RuleRemoveCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    RuleKind kind = type == null ? null : RuleNames.kind(type);
    int removed = agent.work(folder, file -> file.remove(tool, kind));
    String which = kind == null ? "" : kind.kebab() + " ";
    if (removed == 0) {
      throw Failure.work(
          "Agent '%s' has no %srule for '%s'.".formatted(agent.name(), which, tool), null);
    }
    String rules = removed == 1 ? which + "rule" : removed + " " + which + "rules";
    terminal
        .out()
        .println("Removed %s for '%s' on agent '%s'".formatted(rules, tool, agent.name()));
  }
}
