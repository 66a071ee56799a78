package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.memory.MemoryFile;
import dev.switchboard.memory.Moved;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.memory.VectorStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresMemoryTest implements VectorStoreContract {
  private final String place = PostgresServer.newPlace();
  private final List<Storage> opened = new ArrayList<>();

  @Override
  public VectorStore open() {
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
