package dev.switchboard.cli;

import java.nio.file.Path;
import java.util.function.Predicate;
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
  static CommandLine on(Terminal terminal, Path folder, Predicate<String> needed) {
    return new CommandGroup(new ConversationsCommand(), needed)
        .add(ConversationsListCommand.class, () -> new ConversationsListCommand(terminal, folder))
        .add(ConversationsShowCommand.class, () -> new ConversationsShowCommand(terminal, folder))
        .add(
            ConversationsDeleteCommand.class,
            () -> new ConversationsDeleteCommand(terminal, folder))
        .add(ConversationsPruneCommand.class, () -> new ConversationsPruneCommand(terminal, folder))
        .line();
  }
}
