package dev.switchboard.contract;

import static dev.switchboard.contract.MemoryContract.refuses;
import static dev.switchboard.contract.MemoryPlace.block;
import static dev.switchboard.contract.MemoryPlace.entry;
import static dev.switchboard.contract.MemoryPlace.message;
import static dev.switchboard.contract.MemoryPlace.owned;
import static dev.switchboard.contract.MemoryPlace.tagged;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.memory.MemoryFile;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The moving of an agent's memory out of every store and into it.
public interface MemoryMovingContract extends MemoryPlace {
  /// Agent a's memory with something of everything.
  default List<String> full() {
    Memory memory = memory("a");
    Block unused = memory.create(block("z", "one\u0000 🍕 日本").withDescription("d\n"));
    unused = memory.append("z", "\ntwo");
    unused = memory.append("z", "\nthree");
    unused = memory.undo("z");
    unused = memory.create(block("b", "").withPermission(Permission.HUMAN).withPinned(true));
    memory.share("z", "other", Permission.APPEND, List.of("other"));
    MemoryStore store = open();
    for (int i = 0; i < 1_201; i++) {
      assertThat(store.insert(entry("e" + i, "dog " + i))).isTrue();
    }
    assertThat(store.insert(tagged(entry("t", "cat"), "x", "y"))).isTrue();
    assertThat(store.insert(message("e0", "user", "cow"))).isTrue();
    assertThat(store.insert(owned("other", entry("o", "not mine")))).isTrue();
    return lines(store, "a");
  }

  static List<String> lines(MemoryStore store, String agent) {
    List<String> lines = new ArrayList<>();
    MemoryFile.Moved unused = MemoryFile.write(store, agent, lines::add);
    return lines;
  }

  static Path file(Path folder, List<String> lines) {
    try {
      return Files.write(folder.resolve("memory.jsonl"), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  default void movesOutWithoutLoss(@TempDir Path folder) throws IOException {
    List<String> lines = full();
    MemoryStore other = new InProcessMemory();

    MemoryFile.Moved moved = MemoryFile.read(file(folder, lines), other, "a", false);

    assertThat(moved).isEqualTo(new MemoryFile.Moved(2, 1_203, 0));
    assertThat(lines(other, "a")).isEqualTo(lines);
    assertThat(other.blocks("a")).isEqualTo(open().blocks("a"));
    assertThat(other.edits("a", "z", 9)).isEqualTo(open().edits("a", "z", 9)).hasSize(2);
    assertThat(other.sharedBy("a"))
        .containsExactly(new MemoryStore.Share("a", "z", "other", Permission.APPEND));
    assertThat(other.entry("a", Entry.CONVERSATIONS, "e0"))
        .isEqualTo(open().entry("a", Entry.CONVERSATIONS, "e0"));
    assertThat(lines).noneMatch(line -> line.contains("not mine"));
  }

  @Test
  default void movesInWithoutLossAndOnce(@TempDir Path folder) throws IOException {
    Path file = file(folder, full());
    MemoryStore store = open();

    assertThat(MemoryFile.read(file, store, "c", false))
        .isEqualTo(new MemoryFile.Moved(2, 1_203, 0));
    assertThat(MemoryFile.read(file, open(), "c", false))
        .isEqualTo(new MemoryFile.Moved(0, 0, 1_205));

    List<String> moved = lines(open(), "c");
    assertThat(moved.subList(1, moved.size()))
        .isEqualTo(lines(store, "a").subList(1, moved.size()));
    assertThat(memory("c").redo("z").value()).endsWith("two\nthree");
    assertThat(store.search(MemoryQuery.of("c", "cat", Entry.ARCHIVAL)).total()).isEqualTo(1);
  }

  @Test
  default void replacesNothingUnlessItMay(@TempDir Path folder) throws IOException {
    Path file = file(folder, full());
    Block before = memory("a").append("z", "newer");
    MemoryStore store = open();
    assertThat(store.delete("a", Entry.ARCHIVAL, "e7")).isTrue();

    refuses(
        Kind.EXISTS,
        "a block of its own already: 'z'",
        () -> MemoryFile.read(file, store, "a", false));
    assertThat(store.block("a", "z")).isEqualTo(before);
    assertThat(store.entry("a", Entry.ARCHIVAL, "e7")).isNull();

    assertThat(MemoryFile.read(file, store, "a", true))
        .isEqualTo(new MemoryFile.Moved(1, 1, 1_203));
    assertThat(memory("a").redo("z").value()).endsWith("two\nthree");
    assertThat(memory("a").redo("z")).isNull();
    assertThat(store.sharedBy("a")).hasSize(1);
  }
}
