package dev.switchboard.cli;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Memory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard memory edit`: changes the text of a block.
@Command(
    name = "edit",
    description = {
      "Change the text of a block.",
      "",
      "Without --append, --replace or --set it opens in your editor: $VISUAL, $EDITOR or vi.",
      "",
      "A person may change every block of the agent within its limit. The edit is logged under"
          + " 'command line', and 'memory undo' reverts it."
    },
    footer = {
      "  switchboard memory edit guest agent.toml",
      "  switchboard memory edit guest --append 'Eats no meat' agent.toml",
      "  switchboard memory edit guest --replace Ada --with Zoe agent.toml",
      "  switchboard memory edit guest --set - agent.toml < guest.txt"
    })
final class MemoryEditCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;
  private final @Nullable Editor editor;

  @Mixin private LabelArguments block;

  @Mixin private PrincipalOption whose;

  @Option(
      names = "--append",
      paramLabel = "TEXT",
      description = "Add this at the end, on its own line; - for standard input.")
  private @Nullable String append;

  @Option(
      names = "--replace",
      paramLabel = "OLD",
      description = "Replace this text, which must occur once.")
  private @Nullable String old;

  @Option(names = "--with", paramLabel = "NEW", description = "What --replace puts there.")
  private @Nullable String with;

  @Option(names = "--all", description = "With --replace: every occurrence.")
  private boolean all;

  @Option(
      names = "--set",
      paramLabel = "TEXT",
      description = "Make this the whole text; - for standard input.")
  private @Nullable String set;

  @Option(
      names = "--expect",
      paramLabel = "VERSION",
      description = "Only if the block is still at this version.")
  private @Nullable Long version;

  @Option(names = "--json", description = "Print {label, version, length, limit}.")
  private boolean json;

  /// @param editor null without a terminal
  MemoryEditCommand(Terminal terminal, Path folder, @Nullable Editor editor) {
    this.terminal = terminal;
    this.folder = folder;
    this.editor = editor;
  }

  @Override
  public Integer call() throws IOException {
    checkOptions();
    try (OpenMemory memory = OpenMemory.begun(block.file(), folder, terminal, whose.name())) {
      Memory hands = version == null ? memory.inHands() : memory.inHands().expecting(version);
      Block changed =
          says() == 0 && editor != null
              ? edited(hands, block.label(), editor)
              : edited(hands, block.label());
      if (changed == null) {
        terminal.err().println("Block '" + block.label() + "' is as it was.");
        return 0;
      }
      BlockFacts.changed(changed, json, terminal.out());
      return 0;
    }
  }

  private long says() {
    return Stream.of(append, old, set).filter(Objects::nonNull).count();
  }

  private void checkOptions() {
    if ((old == null) != (with == null) || (all && old == null)) {
      throw Failure.usage("--replace OLD needs --with NEW; --all goes with them alone.", null);
    }
    if (says() > 1) {
      throw Failure.usage("Say one of --append TEXT, --replace OLD --with NEW, --set TEXT.", null);
    }
    if (says() == 0 && editor == null) {
      throw Failure.usage(
          "No terminal for your editor: say --append TEXT, --replace OLD --with NEW or --set TEXT.",
          null);
    }
  }

  /// The block after a person has edited its text; null if the text has not changed.
  private static @Nullable Block edited(Memory memory, String label, Editor editor)
      throws IOException {
    Block seen = memory.toOverwrite(label);
    return Draft.of(label, seen.value()).edited(editor, text -> taken(memory, seen, text));
  }

  private static @Nullable Block taken(Memory memory, Block seen, String text) {
    return text.equals(seen.value()) ? null : memory.overwrite(seen.label(), text, seen.version());
  }

  private Block edited(Memory memory, String label) throws IOException {
    if (append != null) {
      String before = memory.block(label).block().value();
      String added = text(append);
      return memory.append(label, added.isEmpty() ? "" : lineBreak(before) + added);
    }
    if (old != null && with != null) {
      return memory.replace(label, old, with, all);
    }
    String value = text(set == null ? "" : set);
    long seen = version == null ? memory.block(label).block().version() : version;
    return memory.overwrite(label, value, seen);
  }

  private static String lineBreak(String before) {
    return before.isEmpty() || before.endsWith("\n") ? "" : "\n";
  }

  /// The text, or that of standard input, without the last line end.
  private String text(String given) throws IOException {
    if (!given.equals("-")) {
      return given;
    }
    try {
      return Draft.text(terminal.in().readAllBytes());
    } catch (CharacterCodingException e) {
      throw Failure.work("Nothing was changed: standard input is not UTF-8 text.", e);
    }
  }
}
