package dev.switchboard.cli;

import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard phone`: the phone of an agent.
@Command(
    name = "phone",
    description = "Check the phone that an agent answers.",
    footer = "  switchboard phone check agent.toml")
final class PhoneCommand {
  /// The command and its subcommands.
  static CommandLine on(Terminal terminal, Predicate<String> needed) {
    return new CommandGroup(new PhoneCommand(), needed)
        .add(PhoneCheckCommand.class, () -> new PhoneCheckCommand(terminal))
        .line();
  }
}
