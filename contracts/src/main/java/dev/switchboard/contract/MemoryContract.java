package dev.switchboard.contract;

import static dev.switchboard.contract.MemoryPlace.block;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Blocks in an agent's hands, through every store.
public interface MemoryContract extends MemoryPlace {
  int WRITERS = 64;

  static void refuses(Kind kind, String message, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind))
        .hasMessageContaining(message);
  }

  @Test
  default void r158AnArchivedBlockLeavesThePrompt() {
    Memory memory = given("R158");
    Block pinned = memory.pin("notes", true);
    Block archived = memory.archive("notes");

    assertThat(archived.kind()).isEqualTo(Block.Kind.ARCHIVAL);
    assertThat(archived.inPrompt()).isFalse();
    assertThat(archived.version()).isEqualTo(pinned.version() + 1);
    assertThat(memory.load("notes").inPrompt()).isTrue();
  }

  @Test
  default void refusesAPinThatWouldNotMoveTheBlock() {
    Memory memory = memory("a");
    Block old = memory.create(block("old", "").withKind(Block.Kind.ARCHIVAL));
    Block core = memory.create(block("core", "").withKind(Block.Kind.CORE));
    Block log = memory.create(block("log", "").withKind(Block.Kind.LOG));

    refuses(
        Kind.INVALID,
        "Block 'old' is archived and cannot be pinned: load it instead.",
        () -> memory.pin("old", true));
    refuses(
        Kind.INVALID,
        "Block 'core': core blocks are always in the prompt and cannot be unpinned.",
        () -> memory.pin("core", false));
    refuses(
        Kind.INVALID,
        "Block 'log': log blocks cannot be unpinned; archive it instead.",
        () -> memory.pin("log", false));
    assertThat(memory.blocks()).extracting(Memory.View::block).containsExactly(old, core, log);
    assertThat(memory.pin("core", true).inPrompt()).isTrue();
    assertThat(memory.archive("log").inPrompt()).isFalse();
  }

  @Test
  default void r160AMissingBlockIsNotFound() {
    Memory memory = given("R160");
    refuses(Kind.NOT_FOUND, "'missing' was not found", () -> memory.load("missing"));
    Block unused = memory.create(block("mission", ""));
    refuses(Kind.NOT_FOUND, "Did you mean 'mission'?", () -> memory.load("missing"));
  }

  @Test
  default void swapsTwoBlocksAtOnce() {
    Memory memory = memory("a");
    Block out = memory.create(block("out", ""));
    Block in = memory.create(block("in", "kept").withKind(Block.Kind.ARCHIVAL));
    Block core = memory.create(block("core", "").withKind(Block.Kind.CORE));
    assertThat(memory.pin(out.label(), true).inPrompt()).isTrue();

    assertThat(memory.swap("out", "in").inPrompt()).isTrue();
    assertThat(memory.block("out").block().kind()).isEqualTo(Block.Kind.ARCHIVAL);
    assertThat(memory.block("in").block().value()).isEqualTo(in.value());
    refuses(Kind.INVALID, "core blocks", () -> memory.swap(core.label(), "out"));
    refuses(Kind.INVALID, "for itself", () -> memory.swap("out", "out"));
    refuses(Kind.NOT_FOUND, "'no'", () -> memory.swap("in", "no"));
    assertThat(memory.block("in").block().inPrompt()).isTrue();
  }

  @Test
  default void r189ANewEditDropsWhatWasUndone() {
    Memory memory = given("R189");
    assertThat(memory.append("n", "a").value()).isEqualTo("initiala");
    assertThat(memory.undo("n")).extracting(Block::value).isEqualTo("initial");
    assertThat(memory.append("n", "b").value()).isEqualTo("initialb");
    assertThat(memory.redo("n")).isNull();
    assertThat(text("n")).isEqualTo("initialb");
    assertThat(memory.history("n", 9)).extracting(Block.Edit::after).containsExactly("initialb");
  }

  @Test
  default void goesBackAndForthThroughAllEdits() {
    Memory memory = memory("a");
    long first = memory.create(block("n", "")).version();
    for (String word : List.of("x", "y", "z")) {
      assertThat(memory.append("n", word).value()).endsWith(word);
    }
    for (String value : List.of("xy", "x", "")) {
      assertThat(memory.undo("n")).extracting(Block::value).isEqualTo(value);
    }
    assertThat(memory.undo("n")).isNull();
    for (String value : List.of("x", "xy", "xyz")) {
      assertThat(memory("a").redo("n")).extracting(Block::value).isEqualTo(value);
    }
    assertThat(memory.redo("n")).isNull();
    assertThat(memory.block("n").block().version()).isEqualTo(first + 9);
    assertThat(memory.history("n", 2)).extracting(Block.Edit::number).containsExactly(3, 2);
    assertThat(memory.history("n", 1).getFirst().by()).isEqualTo("a");
    assertThat(memory.history("n", 1).getFirst().at()).isEqualTo(NOON);
  }

  @Test
  default void undoesAsFarAsTheLogGoes() {
    Block last = block("n", "v8").next(MemoryStore.MOST_EDITS + 8);
    List<MemoryStore.Change> changes = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      // Where the log begins, and where it ends.
      int number = i <= 4 ? i : MemoryStore.MOST_EDITS + i;
      Block.Edit edit =
          new Block.Edit("a", "n", number, NOON, "a", "append", "v" + (i - 1), "v" + i);
      changes.add(new MemoryStore.Change(i == 1 ? null : last, last, edit));
    }
    assertThat(open().apply(changes)).isTrue();
    Memory memory = memory("a");

    for (String value : List.of("v7", "v6", "v5", "v4")) {
      assertThat(memory.undo("n")).extracting(Block::value).isEqualTo(value);
    }
    assertThat(memory.undo("n")).isNull();
    assertThat(memory.append("n", "!").value()).isEqualTo("v4!");
    assertThat(memory.redo("n")).isNull();
    assertThat(memory.undo("n")).extracting(Block::value).isEqualTo("v4");
    assertThat(memory.redo("n")).extracting(Block::value).isEqualTo("v4!");
    assertThat(memory.history("n", 9)).hasSize(1);
  }

  @Test
  default void r194ADeletedBlockLeavesNothingToTheNextOfItsName() {
    Memory memory = Memory.inHandsOf("test", open(), "a", Time.SYSTEM);
    Block old = memory.create(block("n", "old"));
    assertThat(memory.append("n", "secret").value()).contains("secret");
    memory.share("n", "b", Permission.READ_ONLY, List.of("b"));
    Block last = memory.block("n").block();
    memory.delete("n");
    refuses(Kind.NOT_FOUND, "'n'", () -> memory.block("n"));

    Block fresh = memory.create(block("n", "new"));
    assertThat(text("n")).isEqualTo("new");
    assertThat(memory.history("n", 9)).isEmpty();
    assertThat(memory.undo("n")).isNull();
    assertThat(memory.redo("n")).isNull();
    assertThat(memory("b").blocks()).isEmpty();
    // Nor does somebody who has read the old one write it back.
    assertThat(
            open().apply(List.of(new MemoryStore.Change(old, old.withValue("old!").next(1), null))))
        .isFalse();
    assertThat(open().apply(List.of(new MemoryStore.Change(last, null, null)))).isFalse();
    assertThat(open().block("a", "n")).isEqualTo(fresh);
  }

  @Test
  default void aTakenLabelIsRefused() {
    Memory memory = memory("a");
    Block one = memory.create(block("n", "first"));
    refuses(Kind.EXISTS, "'n' is there already", () -> memory.create(one));
    assertThat(text("n")).isEqualTo("first");
    assertThatThrownBy(() -> memory.create(Block.of("b", "m", Block.Kind.CORE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(memory("b").blocks()).isEmpty();
  }

  @Test
  default void noEditOfManyWritersIsLost() throws Exception {
    MemoryStore store = open();
    Memory memory = Memory.of(store, "a", Time.SYSTEM);
    Block unused = memory.create(block("n", "0"));
    List<Callable<Block>> edits =
        IntStream.range(0, WRITERS)
            .mapToObj(i -> (Callable<Block>) () -> i % 2 == 0 ? add(memory, i) : count(memory))
            .toList();
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var edit : writers.invokeAll(edits)) {
        assertThat(edit.get().version()).isPositive();
      }
    }
    Block last = memory.block("n").block();
    assertThat(last.version()).isEqualTo(1 + WRITERS);
    assertThat(last.value().lines().findFirst()).hasValue(String.valueOf(WRITERS / 2));
    assertThat(last.value().lines().skip(1).map(Integer::valueOf))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, WRITERS / 2).map(i -> 2 * i).boxed().toList());
    assertThat(memory.history("n", 999)).hasSize(WRITERS);
  }

  @Test
  default void noWriterOfManyGivesUp() throws Exception {
    Block unused = memory("a").create(block("n", ""));
    MemoryStore store = open();
    edit(store, store);
    edit(store, ofAnotherProcess());
  }

  private void edit(MemoryStore one, MemoryStore other) throws Exception {
    int length = text("n").length();
    List<Callable<Block>> edits =
        IntStream.range(0, WRITERS)
            .mapToObj(i -> Memory.of(i % 2 == 0 ? one : other, "a", Time.SYSTEM))
            .map(memory ->
                (Callable<Block>)
                    () ->
                        Stream.of("x", "x", "x").map(x -> memory.append("n", x)).toList().getLast())
            .toList();
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var edit : writers.invokeAll(edits)) {
        assertThat(edit.get().version()).isPositive();
      }
    }
    assertThat(text("n")).isEqualTo("x".repeat(length + 3 * WRITERS));
  }

  private static Block add(Memory memory, int number) {
    return memory.append("n", "\n" + number);
  }

  /// Counts the first line up, by reading, and writing what was read and one more.
  private static Block count(Memory memory) {
    while (true) {
      Block seen = memory.block("n").block();
      String[] lines = seen.value().split("\n", 2);
      String next = Integer.parseInt(lines[0]) + 1 + (lines.length == 1 ? "" : "\n" + lines[1]);
      try {
        return memory.overwrite("n", next, seen.version());
      } catch (MemoryException e) {
        assertThat(e.kind()).isEqualTo(Kind.CONFLICT);
      }
    }
  }
}
