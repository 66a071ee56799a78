package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.phone.call.CallRow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// `switchboard calls list`: lists the calls, one per line.
@Command(
    name = "list",
    description = {
      "List the phone calls, the latest first.",
      "",
      "Of each number the last four digits are shown. A call that is not on and has no end was cut"
          + " off with its process."
    },
    footer = {
      "  switchboard calls list agent.toml",
      "  switchboard calls list --json agent.toml | jq -r .id"
    })
final class CallsListCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private StoredArgument agent;

  @Option(
      names = "--json",
      description =
          "Print each call as {id, from, to, direction, startedAt, endedAt, state, reason, unmet,"
              + " turns, calls}, as far as it has them.")
  private boolean json;

  CallsListCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    try (StoredAgent stored = StoredAgent.open(agent.file(), folder, terminal)) {
      show(CallRow.all(stored.store()));
    }
  }

  private void show(List<CallRow> all) {
    if (json) {
      all.forEach(call -> terminal.out().println(object(call)));
    } else if (all.isEmpty()) {
      terminal.out().println("No phone call is stored.");
    } else {
      Table.of(rows(all)).forEach(terminal.out()::println);
    }
  }

  /// A call as JSON.
  static Json object(CallRow call) {
    ObjectNode out =
        Codec.object()
            .put("id", call.id())
            .put("from", call.from())
            .put("to", call.to())
            .put("direction", call.direction());
    if (call.started() != null) {
      out.put("startedAt", call.started().toString());
    }
    if (call.ended() != null) {
      out.put("endedAt", call.ended().toString());
    }
    out.put("state", state(call));
    if (call.reason() != null) {
      out.put("reason", call.reason());
    }
    call.unmet().forEach(tool -> out.withArray("unmet").add(tool));
    return Json.of(out.put("turns", call.turns()).put("calls", call.calls()));
  }

  private static String state(CallRow call) {
    return call.ended() != null ? "ended" : call.on() ? "on" : "cut_off";
  }

  /// How the call ended, for people.
  static String end(CallRow call) {
    return call.reason() != null ? call.reason() : call.on() ? "on" : "cut off";
  }

  private static List<List<String>> rows(List<CallRow> all) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ID", "STARTED", "LENGTH", "FROM", "TO", "TURNS", "TOOLS", "END"));
    for (CallRow call : all) {
      rows.add(
          List.of(
              Plain.line(call.id()),
              call.started() == null ? "-" : Moments.text(call.started()),
              length(call.started(), call.ended()),
              Plain.line(call.from()),
              Plain.line(call.to()),
              String.valueOf(call.turns()),
              String.valueOf(call.calls()),
              Plain.line(end(call))));
    }
    return rows;
  }

  private static String length(@Nullable Instant started, @Nullable Instant ended) {
    if (started == null || ended == null) {
      return "-";
    }
    Duration length = Duration.between(started, ended);
    return "%d:%02d".formatted(length.toMinutes(), length.toSecondsPart());
  }
}
