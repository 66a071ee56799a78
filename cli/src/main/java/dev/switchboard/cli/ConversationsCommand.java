package dev.switchboard.cli;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard conversations`: the conversations in an agent's storage.
@Command(
    name = "conversations",
    description = "List, show and delete the conversations in an agent's storage.",
    footer = {
      "  switchboard conversations list agent.toml",
      "  switchboard conversations show c-42 agent.toml",
      "  switchboard conversations delete c-42 agent.toml",
      "  switchboard conversations prune --older 30d agent.toml"
    })
final class ConversationsCommand {
  /// The command and its subcommands, which look for an agent's file in that folder if none is
  /// named.
  static CommandLine on(Terminal terminal, Path folder) {
    return new CommandLine(new ConversationsCommand())
        .addSubcommand(new ConversationsListCommand(terminal, folder))
        .addSubcommand(new ConversationsShowCommand(terminal, folder))
        .addSubcommand(new ConversationsDeleteCommand(terminal, folder))
        .addSubcommand(new ConversationsPruneCommand(terminal, folder));
  }
}
