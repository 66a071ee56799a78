package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Memory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard memory history`: lists the edits of a block.
@Command(
    name = "history",
    description = "List the edits of a block, the latest first.",
    footer = {
      "  switchboard memory history guest agent.toml",
      "  switchboard memory history guest -n 1 --json | jq -r .before"
    })
final class MemoryHistoryCommand implements Runnable {
  private static final int WIDTH = 40;

  private final Terminal terminal;
  private final Path folder;

  @Mixin private LabelArguments block;

  @Mixin private PrincipalOption whose;

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "20",
      description = "The most edits (default: ${DEFAULT-VALUE}).")
  private int most;

  @Option(
      names = "--json",
      description = "Print each edit as {number, at, by, operation, undone, before, after}.")
  private boolean json;

  MemoryHistoryCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    if (most < 1) {
      throw Failure.usage("-n must be at least 1, not " + most + ".", null);
    }
    try (OpenMemory memory = OpenMemory.begun(block.file(), folder, terminal, whose.name())) {
      Memory hands = memory.inHands();
      Block found = hands.block(block.label()).block();
      show(hands.history(block.label(), most), found.edits());
    }
  }

  private void show(List<Block.Edit> edits, int inForce) {
    if (json) {
      edits.forEach(edit -> terminal.out().println(object(edit, edit.number() > inForce)));
    } else if (edits.isEmpty()) {
      terminal.out().println("The block was never edited.");
    } else {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("NUMBER", "AT", "BY", "OPERATION", "STATE", "OLD", "NEW"));
      edits.forEach(edit -> rows.add(row(edit, edit.number() > inForce)));
      Table.of(rows).forEach(terminal.out()::println);
    }
  }

  private static Json object(Block.Edit edit, boolean undone) {
    return Json.of(
        Codec.object()
            .put("number", edit.number())
            .put("at", edit.at().toString())
            .put("by", edit.by())
            .put("operation", edit.operation())
            .put("undone", undone)
            .put("before", edit.before())
            .put("after", edit.after()));
  }

  /// The table row of an edit, with the parts of its texts that differ.
  private static List<String> row(Block.Edit edit, boolean undone) {
    int begin = same(edit.before(), edit.after());
    int end =
        Math.min(
            same(reversed(edit.before()), reversed(edit.after())),
            Math.min(edit.before().length(), edit.after().length()) - begin);
    return List.of(
        String.valueOf(edit.number()),
        Moments.text(edit.at()),
        Plain.line(edit.by()),
        Plain.line(edit.operation()),
        undone ? "undone" : "in force",
        differing(edit.before(), begin, end),
        differing(edit.after(), begin, end));
  }

  private static String differing(String text, int begin, int end) {
    return Plain.cut(text.substring(begin, text.length() - end), WIDTH);
  }

  /// The length of the common prefix.
  private static int same(String one, String other) {
    int at = 0;
    while (at < one.length() && at < other.length() && one.charAt(at) == other.charAt(at)) {
      at++;
    }
    return at;
  }

  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }
}
