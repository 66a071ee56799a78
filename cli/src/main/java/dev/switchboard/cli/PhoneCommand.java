package dev.switchboard.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard phone`: the phone of an agent.
@Command(
    name = "phone",
    description = "Check the phone that an agent answers.",
    footer = "  switchboard phone check agent.toml")
final class PhoneCommand {
  /// The command and its subcommands.
  static CommandLine on(Terminal terminal) {
    return new CommandLine(new PhoneCommand()).addSubcommand(new PhoneCheckCommand(terminal));
  }
}
