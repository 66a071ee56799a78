package dev.switchboard.cli;

import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// `switchboard conversations list`: lists conversations, one per line.
@Command(
    name = "list",
    description = "List the conversations, the latest first.",
    footer = {
      "  switchboard conversations list agent.toml",
      "  switchboard conversations list --json agent.toml | jq -r .id"
    })
final class ConversationsListCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private StoredArgument agent;

  @Option(
      names = "--json",
      description =
          "Print each conversation as {id, started, last, turns, calls, waiting}, with setAside:"
              + " true if its latest turn was ended since its process died too often.")
  private boolean json;

  ConversationsListCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    try (StoredAgent stored = StoredAgent.open(agent.file(), folder, terminal)) {
      show(stored.conversations().all());
    }
  }

  private void show(List<Summary> all) {
    if (json) {
      all.forEach(conversation -> terminal.out().println(object(conversation)));
    } else if (all.isEmpty()) {
      terminal.out().println("No conversation is stored.");
    } else {
      Table.of(rows(all)).forEach(terminal.out()::println);
    }
  }

  private static Json object(Summary conversation) {
    ObjectNode out = Codec.object().put("id", conversation.id());
    if (conversation.started() != null && conversation.last() != null) {
      out.put("started", conversation.started().toString())
          .put("last", conversation.last().toString());
    }
    out.put("turns", conversation.turns())
        .put("calls", conversation.calls())
        .put("waiting", conversation.waiting());
    if (conversation.setAside()) {
      out.put("setAside", true);
    }
    return Json.of(out);
  }

  private static List<List<String>> rows(List<Summary> all) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ID", "STARTED", "LAST", "TURNS", "CALLS", "WAITING"));
    for (Summary conversation : all) {
      rows.add(
          List.of(
              Plain.line(conversation.id()),
              moment(conversation.started()),
              moment(conversation.last()),
              String.valueOf(conversation.turns()),
              String.valueOf(conversation.calls()),
              conversation.waiting() + (conversation.setAside() ? ", set aside" : "")));
    }
    return rows;
  }

  private static String moment(@Nullable Instant moment) {
    return moment == null ? "-" : Moments.text(moment);
  }
}
