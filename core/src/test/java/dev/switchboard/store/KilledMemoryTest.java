package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.BlockEdit;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process said it remembers is there after it was killed in the midst of its work, once,
/// and found.
class KilledMemoryTest {
  private static final int ROUNDS = 5;

  @TempDir private Path folder;

  @Test
  void sqliteLosesNothingThatWasAcknowledged() throws IOException, InterruptedException {
    losesNothing("sqlite:" + folder.resolve("store.db"), () -> {});
  }

  @Test
  void postgresLosesNothingThatWasAcknowledged() throws IOException, InterruptedException {
    // The server may still be at work for the killed process.
    losesNothing(
        PostgresServer.newPlace() + "&ApplicationName=killed",
        () -> await().until(() -> PostgresServer.connections("killed") == 0));
  }

  private static void losesNothing(String url, Runnable settled)
      throws IOException, InterruptedException {
    Set<Integer> acknowledged = new TreeSet<>(Set.of(0));
    for (int round = 0; round < ROUNDS; round++) {
      int until = Collections.max(acknowledged) + 20 + 7 * round;
      acknowledged.addAll(Killed.acknowledgedUntil(until, KilledMemoryWriter.class, url));
      settled.run();
      try (Storage storage = Stores.open(url, Path.of(""))) {
        isWhole(storage.memory(), acknowledged);
      }
    }
  }

  private static void isWhole(MemoryStore store, Set<Integer> acknowledged) {
    Block block = store.block("a", "n");
    assertThat(block).isNotNull();
    int last = block.edits();
    assertThat(block.value().lines().map(Integer::valueOf))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, last).boxed().toList())
        .containsAll(acknowledged.stream().skip(1).toList());
    assertThat(store.edits("a", "n", Integer.MAX_VALUE))
        .hasSize(last)
        .first()
        .extracting(BlockEdit::after)
        .isEqualTo(block.value());
    MemoryQuery all = MemoryQuery.of("a", "", Entry.ARCHIVAL).withLimit(100);
    long entries = store.search(all).total();
    assertThat(entries).isGreaterThanOrEqualTo(acknowledged.size() - 1).isLessThanOrEqualTo(last);
    for (String word : Set.of("kept", "京都")) {
      MemoryQuery query = MemoryQuery.of("a", word, Entry.ARCHIVAL);
      assertThat(store.search(query).total()).isEqualTo(entries);
      assertThat(store.search(query.withLabel("n").withTags(List.of("tag"))).total())
          .isEqualTo(entries);
    }
    for (int number : acknowledged.stream().skip(1).toList()) {
      assertThat(store.entry("a", Entry.ARCHIVAL, "e" + number)).isNotNull();
      assertThat(store.search(MemoryQuery.of("a", "number" + number, Entry.ARCHIVAL)).hits())
          .singleElement()
          .matches(hit -> hit.entry().id().equals("e" + number));
    }
  }
}
