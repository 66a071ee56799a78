package dev.switchboard.store;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.BlockKind;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/// A process that counts up in a block and puts an entry away for each number, for as long as it
/// lives, and says each number once both are kept.
final class KilledMemoryWriter {
  private KilledMemoryWriter() {}

  public static void main(String[] args) {
    try (Storage storage = Stores.open(args[0], Path.of(""))) {
      MemoryStore store = storage.memory();
      Memory memory = Memory.of(store, "a", Time.SYSTEM);
      if (store.block("a", "n") == null) {
        Block unused = memory.create(Block.of("a", "n", BlockKind.LOG).withCharLimit(1_000_000));
      }
      int next = (int) memory.block("n").block().value().lines().count();
      while (true) {
        next++;
        Block unused = memory.append("n", next + "\n");
        if (store.insert(entry(next))) {
          System.out.println(next);
        }
      }
    }
  }

  private static Entry entry(int number) {
    String text = "kept number" + number + " 東京都";
    return new Entry(
        "a", Entry.ARCHIVAL, "e" + number, "n", null, text, List.of("tag"), Instant.EPOCH);
  }
}
