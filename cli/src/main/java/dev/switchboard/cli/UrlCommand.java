package dev.switchboard.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard url`: the URL guard.
@Command(
    name = "url",
    description = "Check whether a tool may call an address.",
    footer = "  switchboard url check https://api.example.com/x http://127.0.0.1:9001")
final class UrlCommand {
  /// The command and its subcommands.
  static CommandLine on(Terminal terminal) {
    return new CommandLine(new UrlCommand()).addSubcommand(new UrlCheckCommand(terminal));
  }
}
