package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.contract.MemoryPlace;
import dev.switchboard.contract.VectorStoreContract;
import dev.switchboard.memory.MemoryFile;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.VectorStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class PostgresMemoryTest implements VectorStoreContract {
  private final String place = PostgresServer.newPlace();
  private final List<Storage> opened = new ArrayList<>();

  @Override
  public String name() {
    return "PostgreSQL";
  }

  @Override
  public VectorStore open() {
    // A pool each would be many connections.
    if (opened.isEmpty()) {
      opened.add(Storage.open(place, Path.of("")));
    }
    return opened.getFirst().memory();
  }

  @Override
  public MemoryStore ofAnotherProcess() {
    opened.add(Storage.open(place, Path.of("")));
    return opened.getLast().memory();
  }

  @AfterEach
  void close() {
    opened.forEach(Storage::close);
  }

  /// Two that each wait for what the other has written: the server ends the store's, which is begun
  /// anew. It is the one that looks for this first, once, some time after it began to wait.
  @Test
  void aBatchThatWasInTheWayOfAnotherIsKeptAfterIt() throws Exception {
    String impatient = place + "&ApplicationName=waiting&options=-c%20deadlock_timeout=3s";
    try (Storage storage = Storage.open(impatient, Path.of(""));
        Connection other = PostgresServer.connect(place + "&options=-c%20deadlock_timeout=60s");
        ExecutorService writer = Executors.newVirtualThreadPerTaskExecutor()) {
      MemoryStore store = storage.memory();
      assertThat(store.insert(MemoryPlace.entry("0", "dog"))).isTrue();
      other.setAutoCommit(false);
      insert(other, "2");
      Future<Integer> kept =
          writer.submit(() ->
              store.insertAll(
                  List.of(MemoryPlace.entry("1", "dog"), MemoryPlace.entry("2", "dog"))));
      await().until(() -> PostgresServer.waiting("waiting") == 1);
      insert(other, "1");
      other.rollback();

      assertThat(kept.get()).isEqualTo(2);
      assertThat(store.search(MemoryPlace.query("dog")).total()).isEqualTo(3);
    }
  }

  private static void insert(Connection connection, String id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO memory_entry (scope, id, label, text, tags, at)"
                + " SELECT number, ?, '', '', '[]', 0 FROM memory_scope")) {
      statement.setString(1, id);
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }

  @Test
  void movesToSqliteAndBack(@TempDir Path folder) throws IOException {
    List<String> lines = full();
    Path file = Files.write(folder.resolve("memory.jsonl"), lines);
    List<String> moved = new ArrayList<>();
    try (Storage sqlite = Storage.open("sqlite:moved.db", folder)) {
      assertThat(MemoryFile.read(file, sqlite.memory(), "a", false).entries()).isEqualTo(1_203);
      MemoryFile.Moved unused = MemoryFile.write(sqlite.memory(), "a", moved::add);
    }
    assertThat(moved).isEqualTo(lines);
    Files.write(file, moved);

    assertThat(MemoryFile.read(file, open(), "a", false).known()).isEqualTo(1_205);
  }
}
