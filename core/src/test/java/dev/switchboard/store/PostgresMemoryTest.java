package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryFile;
import dev.switchboard.memory.MemoryPlace;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.MemoryStoreContract;
import dev.switchboard.memory.Moved;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresMemoryTest implements MemoryStoreContract {
  private final String place = PostgresServer.newPlace();
  private final List<Storage> opened = new ArrayList<>();

  @Override
  public MemoryStore open() {
    // A pool each would be many connections.
    if (opened.isEmpty()) {
      opened.add(Stores.open(place, Path.of("")));
    }
    return opened.getFirst().memory();
  }

  @AfterEach
  void close() {
    opened.forEach(Storage::close);
  }

  @Test
  void batchesThatMeetInOppositeOrderAreKeptOnce() throws Exception {
    MemoryStore store = open();
    List<Entry> batch =
        IntStream.range(0, 500).mapToObj(i -> MemoryPlace.entry("e" + i, "dog")).toList();
    List<Callable<Integer>> work =
        IntStream.range(0, 4)
            .mapToObj(i ->
                (Callable<Integer>) () -> store.insertAll(i % 2 == 0 ? batch : batch.reversed()))
            .toList();
    int kept = 0;
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var one : writers.invokeAll(work)) {
        kept += one.get();
      }
    }
    assertThat(kept).isEqualTo(500);
    assertThat(store.search(MemoryPlace.query("dog")).total()).isEqualTo(500);
  }

  @Test
  void movesToSqliteAndBack(@TempDir Path folder) throws IOException {
    List<String> lines = full();
    Path file = Files.write(folder.resolve("memory.jsonl"), lines);
    List<String> moved = new ArrayList<>();
    try (Storage sqlite = Stores.open("sqlite:moved.db", folder)) {
      assertThat(MemoryFile.read(file, sqlite.memory(), "a", false).entries()).isEqualTo(1_203);
      Moved unused = MemoryFile.write(sqlite.memory(), "a", moved::add);
    }
    assertThat(moved).isEqualTo(lines);
    Files.write(file, moved);

    assertThat(MemoryFile.read(file, open(), "a", false).known()).isEqualTo(1_205);
  }
}
