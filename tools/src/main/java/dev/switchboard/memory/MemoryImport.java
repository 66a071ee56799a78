package dev.switchboard.memory;

import dev.switchboard.memory.MemoryException.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The import of a file's memory into a store: all lines are checked, then imported.
final class MemoryImport {
  private static final int BATCH = 1_000;
  private static final int BATCH_CHARACTERS = 1_000_000;

  private final MemoryStore store;
  private final String agent;
  private final Map<String, Logged> blocks = new LinkedHashMap<>();
  private final List<MemoryStore.Share> shares = new ArrayList<>();
  private final List<Entry> batch = new ArrayList<>();
  private MemoryLine.@Nullable End end;
  private long lines;
  private boolean taken; // whether the end was reached
  private int made;
  private long inserted;
  private long known;
  private long characters; // of the batch

  /// A block and its edits, the earliest first.
  private record Logged(Block block, List<Block.Edit> edits) {}

  MemoryImport(MemoryStore store, String agent) {
    this.store = store;
    this.agent = agent;
  }

  /// @throws IllegalArgumentException with a clause, when the line is not allowed here
  void check(long number, MemoryLine line) {
    refuse(lines == 0 != line instanceof MemoryLine.Head, "the first line is of type 'memory'");
    refuse(end != null, "it stands after the end");
    switch (line) {
      case MemoryLine.Head head -> {}
      case MemoryLine.OfBlock(Block block) ->
          refuse(
              blocks.putIfAbsent(block.label(), new Logged(block, new ArrayList<>())) != null,
              "block '" + block.label() + "' is there twice");
      case MemoryLine.OfEdit(Block.Edit edit) -> {
        List<Block.Edit> edits = known(edit.label()).edits;
        refuse(
            edit.number() < 1
                || (!edits.isEmpty() && edit.number() != edits.getLast().number() + 1),
            "edits are numbered one by one");
        edits.removeIf(edit::replaces);
        edits.add(edit);
      }
      case MemoryLine.OfShare(MemoryStore.Share share) -> {
        Logged unused = known(share.label());
        shares.add(share);
      }
      case MemoryLine.OfEntry entry -> {}
      case MemoryLine.End last -> {
        refuse(last.lines() != lines, "%d lines stand before it".formatted(lines));
        end = last;
      }
    }
    lines++;
  }

  private Logged known(String label) {
    Logged block = blocks.get(label);
    if (block == null) {
      throw new IllegalArgumentException("block '" + label + "' does not stand before it");
    }
    return block;
  }

  private static void refuse(boolean faulty, String clause) {
    if (faulty) {
      throw new IllegalArgumentException(clause);
    }
  }

  /// @throws MemoryException when the file is incomplete
  void checkEnd() {
    if (end == null) {
      throw new MemoryException(
          Kind.INVALID, "It breaks off after %d lines: write it again.".formatted(lines));
    }
  }

  /// @throws MemoryException when existing blocks differ from the file's
  void refuseOthers() {
    List<String> others =
        blocks.values().stream()
            .filter(read -> store.block(agent, read.block.label()) != null && !isThere(read))
            .map(read -> "'" + read.block.label() + "'")
            .toList();
    if (!others.isEmpty()) {
      throw new MemoryException(
          Kind.EXISTS,
          "Agent '%s' has %s of its own already: %s."
              .formatted(
                  agent,
                  others.size() == 1 ? "a block" : others.size() + " blocks",
                  others.stream().collect(Collectors.joining(", "))));
    }
  }

  private boolean isThere(Logged read) {
    return read.block.equals(store.block(agent, read.block.label()))
        && read.edits.reversed().equals(store.edits(agent, read.block.label(), Integer.MAX_VALUE));
  }

  /// Creates the blocks, each together with its edits.
  void takeBlocks() {
    for (Logged read : blocks.values()) {
      if (isThere(read)) {
        known++;
      } else {
        make(read);
        made++;
      }
    }
    shares.forEach(store::share);
  }

  private void make(Logged read) {
    List<MemoryStore.Change> changes = new ArrayList<>();
    Block before = store.block(agent, read.block.label());
    if (before != null) {
      changes.add(new MemoryStore.Change(before, null, null));
    }
    Block first = read.block;
    changes.add(
        new MemoryStore.Change(null, first, read.edits.isEmpty() ? null : read.edits.getFirst()));
    read.edits.stream()
        .skip(1)
        .map(edit -> new MemoryStore.Change(first, first, edit))
        .forEach(changes::add);
    if (!store.apply(changes)) {
      throw new MemoryException(
          Kind.CONFLICT,
          "Block '%s' was changed by another meanwhile, after %d others were taken: import again."
              .formatted(first.label(), made));
    }
  }

  /// Imports an entry, in batches; the last batch is written at the end. Other lines were imported
  /// before.
  void take(MemoryLine line) {
    if (line instanceof MemoryLine.OfEntry(Entry entry)) {
      batch.add(entry);
      characters += entry.text().length();
    }
    if (batch.size() == BATCH || characters > BATCH_CHARACTERS || line instanceof MemoryLine.End) {
      takeBatch();
    }
    taken = line instanceof MemoryLine.End;
  }

  private void takeBatch() {
    int added = store.insertAll(batch);
    inserted += added;
    known += batch.size() - added;
    batch.clear();
    characters = 0;
  }

  /// @throws MemoryException when the file was incomplete at the second reading
  MemoryFile.Moved moved() {
    if (!taken) {
      throw new MemoryException(
          Kind.CONFLICT,
          "It was changed while it was read, and not taken as a whole: import again.");
    }
    return new MemoryFile.Moved(made, inserted, known);
  }
}
