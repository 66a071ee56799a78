package dev.switchboard.cli;

import java.nio.file.Path;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard token`: the tokens of a server's clients.
@Command(
    name = "token",
    description = "Add, list, change and revoke the tokens of a server's clients.",
    footer = {
      "  switchboard token add ada",
      "  switchboard token add desk --role approve",
      "  switchboard token list",
      "  switchboard token roles ada --role chat --role tools",
      "  switchboard token rotate ada",
      "  switchboard token revoke ada"
    })
final class TokenCommand {
  /// The command and its subcommands, which look for the file of tokens in that folder.
  static CommandLine on(Terminal terminal, Path folder, Predicate<String> needed) {
    return new CommandGroup(new TokenCommand(), needed)
        .add(TokenAddCommand.class, () -> new TokenAddCommand(terminal, folder))
        .add(TokenListCommand.class, () -> new TokenListCommand(terminal, folder))
        .add(TokenRolesCommand.class, () -> new TokenRolesCommand(terminal, folder))
        .add(TokenRotateCommand.class, () -> new TokenRotateCommand(terminal, folder))
        .add(TokenRevokeCommand.class, () -> new TokenRevokeCommand(terminal, folder))
        .line();
  }
}
