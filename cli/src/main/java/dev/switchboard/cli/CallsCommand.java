package dev.switchboard.cli;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard calls`: what an agent's storage holds of phone calls.
@Command(
    name = "calls",
    description = "List and show the phone calls in an agent's storage.",
    footer = {"  switchboard calls list agent.toml", "  switchboard calls show CA42 agent.toml"})
final class CallsCommand {
  /// The command and those below it; without an agent's file, one is looked for in that folder.
  static CommandLine on(Terminal terminal, Path folder) {
    return new CommandLine(new CallsCommand())
        .addSubcommand(new CallsListCommand(terminal, folder))
        .addSubcommand(new CallsShowCommand(terminal, folder));
  }
}
