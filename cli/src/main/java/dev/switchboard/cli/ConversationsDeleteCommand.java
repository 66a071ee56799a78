package dev.switchboard.cli;

import dev.switchboard.agent.StoredConversations;
import dev.switchboard.agent.StoredConversations.Forgotten;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard conversations delete`: deletes conversations.
@Command(
    name = "delete",
    description = {
      "Delete all that is stored of conversations.",
      "",
      "This deletes the transcript, waiting requests for consent, lasting consents given in it,"
          + " from the agent's memory what was said in it and what recall stored, and the record of"
          + " a phone call. Changes of blocks stay, and so do the lines of audit logs, which hold a"
          + " digest of arguments. With --principal it deletes all conversations of a principal,"
          + " its memory and its lasting consents; messages between agents that wait in the memory"
          + " of a running server are dropped over its HTTP interface alone. Exits with 1 if a"
          + " conversation is not stored, or a process may be using it."
    },
    footer = {
      "  switchboard conversations delete c-42 agent.toml",
      "  switchboard conversations delete c-42 c-43 --force agent.toml",
      "  switchboard conversations delete --principal ann agent.toml"
    })
final class ConversationsDeleteCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private ConversationArguments conversations;

  @Option(
      names = "--force",
      description = "Delete a conversation also while a process may be in it, which is cut off.")
  private boolean force;

  @Option(
      names = "--principal",
      paramLabel = "NAME",
      description = "Delete all conversations of that principal, and its memory.")
  private @Nullable String principal;

  ConversationsDeleteCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() {
    List<String> named = principal == null ? conversations.ids() : List.of();
    if (principal != null) {
      principal = PrincipalOption.checked(principal);
      conversations.refuseIds();
    }
    try (StoredAgent agent = StoredAgent.open(conversations.file(), folder, terminal)) {
      Forgotten gone = deleted(agent.conversations(), named);
      terminal
          .out()
          .println(
              "Deleted %d of %d; lines of audit logs are kept."
                  .formatted(gone.deleted(), gone.found()));
      return gone.all() ? 0 : 1;
    }
  }

  private Forgotten deleted(StoredConversations stored, List<String> named) {
    Deletion deletion = new Deletion(terminal, stored, force);
    return principal == null
        ? new Forgotten(named.size(), deletion.of(named))
        : stored.forget(principal, deletion::of);
  }
}
