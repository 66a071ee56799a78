package dev.switchboard.cli;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard calls`: the phone calls in an agent's storage.
@Command(
    name = "calls",
    description = "List and show the phone calls in an agent's storage.",
    footer = {"  switchboard calls list agent.toml", "  switchboard calls show CA42 agent.toml"})
final class CallsCommand {
  /// The command and its subcommands, which look for an agent's file in that folder if none is
  /// named.
  static CommandLine on(Terminal terminal, Path folder) {
    return new CommandLine(new CallsCommand())
        .addSubcommand(new CallsListCommand(terminal, folder))
        .addSubcommand(new CallsShowCommand(terminal, folder));
  }
}
