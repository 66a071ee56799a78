package dev.switchboard.cli;

import dev.switchboard.agent.StoredConversations;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.text.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard conversations prune`: deletes old conversations.
@Command(
    name = "prune",
    description = {
      "Delete the conversations without activity for this long.",
      "",
      "They are deleted as 'conversations delete' does. Asks before, unless --yes is given. Those"
          + " that a process may be in stay, and so do those of which no time is known. Exits with"
          + " 1 if not all were deleted."
    },
    footer = {
      "  switchboard conversations prune --older 30d agent.toml",
      "  switchboard conversations prune --older 12h --yes agent.toml"
    })
final class ConversationsPruneCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private StoredArgument agent;

  @Option(
      names = "--older",
      required = true,
      paramLabel = "TIME",
      description = "How long, such as 30d or 12h.")
  private String older = "";

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  ConversationsPruneCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() throws IOException {
    Duration length = Durations.parse(older);
    if (length == null) {
      throw Failure.usage(
          "--older must be a length of time such as 30d, not '" + older + "'.", null);
    }
    try (StoredAgent stored = StoredAgent.open(agent.file(), folder, terminal)) {
      Instant before = stored.time().now().minus(length);
      StoredConversations conversations = stored.conversations();
      List<String> ids = conversations.before(before).stream().map(Summary::id).toList();
      if (ids.isEmpty()) {
        terminal.out().println("No conversation is older than " + Moments.text(before) + ".");
        return 0;
      }
      return isMeant(ids.size(), before) ? prune(conversations, ids) : 1;
    }
  }

  private int prune(StoredConversations conversations, List<String> ids) {
    int deleted = new Deletion(terminal, conversations, false).of(ids);
    terminal
        .out()
        .println("Deleted %d of %d; lines of audit logs are kept.".formatted(deleted, ids.size()));
    return deleted == ids.size() ? 0 : 1;
  }

  private boolean isMeant(int count, Instant before) throws IOException {
    return new Confirmation(terminal, yes)
        .of(
            "Delete %d conversation%s, with nothing in %s since %s?"
                .formatted(
                    count, count == 1 ? "" : "s", count == 1 ? "it" : "them", Moments.text(before)),
            "Nothing was deleted; --yes deletes without a question.");
  }
}
