package dev.switchboard.cli;

import dev.switchboard.agent.StoredConversations;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard conversations show`: shows messages and calls.
@Command(
    name = "show",
    description = {
      "Print what was said and done in a conversation.",
      "",
      "Control characters and invisible characters are escaped."
    },
    footer = {
      "  switchboard conversations show c-42 agent.toml",
      "  switchboard conversations show c-42 --json agent.toml"
    })
final class ConversationsShowCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private ConversationArguments conversation;

  @Option(
      names = "--json",
      description =
          "Print each message as {at, role, text, calls, tool, callId, success}, as far as it has"
              + " them.")
  private boolean json;

  ConversationsShowCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    String id = conversation.id();
    try (StoredAgent agent = StoredAgent.open(conversation.file(), folder, terminal)) {
      StoredConversations stored = agent.conversations();
      if (stored.find(id) == null) {
        throw ConversationArguments.missing(id);
      }
      new ConversationText(terminal, json).show(stored.show(id));
    }
  }
}
