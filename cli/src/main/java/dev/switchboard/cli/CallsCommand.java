package dev.switchboard.cli;

import java.nio.file.Path;
import java.util.function.Predicate;
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
  static CommandLine on(Terminal terminal, Path folder, Predicate<String> needed) {
    return new CommandGroup(new CallsCommand(), needed)
        .add(CallsListCommand.class, () -> new CallsListCommand(terminal, folder))
        .add(CallsShowCommand.class, () -> new CallsShowCommand(terminal, folder))
        .line();
  }
}
