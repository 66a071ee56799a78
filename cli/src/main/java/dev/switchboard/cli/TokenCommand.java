package dev.switchboard.cli;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard token`: the tokens of a server's clients.
@Command(
    name = "token",
    description = "Add, list and revoke the tokens of a server's clients.",
    footer = {
      "  switchboard token add ada",
      "  switchboard token add desk --role approve",
      "  switchboard token list",
      "  switchboard token revoke ada"
    })
final class TokenCommand {
  /// The command and its subcommands, which look for the file of tokens in that folder.
  static CommandLine on(Terminal terminal, Path folder) {
    return new CommandLine(new TokenCommand())
        .addSubcommand(new TokenAddCommand(terminal, folder))
        .addSubcommand(new TokenListCommand(terminal, folder))
        .addSubcommand(new TokenRevokeCommand(terminal, folder));
  }
}
