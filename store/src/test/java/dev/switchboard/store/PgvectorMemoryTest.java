package dev.switchboard.store;

import static dev.switchboard.contract.MemoryPlace.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.contract.VectorsContract;
import dev.switchboard.harness.Repository;
import dev.switchboard.memory.VectorStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// PostgreSQL where pgvector is installed, in a schema of its own. The server has one session
/// alone, so what many do at a time is left to the other tests of PostgreSQL.
@Tag("servers")
class PgvectorMemoryTest implements VectorsContract {
  private static Pglite server;
  private Storage storage;

  @BeforeAll
  static void start() {
    server = Pglite.start(Repository.file("agent/src/test/servers"));
    server.execute("CREATE SCHEMA extensions", "CREATE EXTENSION vector SCHEMA extensions");
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void begin() {
    server.execute("DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
    storage = Storage.open(server.url(), Path.of(""));
  }

  @AfterEach
  void end() {
    storage.close();
  }

  @Override
  public VectorStore open() {
    return storage.memory();
  }

  @Test
  void theServerComparesTheVectors() {
    kept(entry("1", "east"), 1, 0);
    server.execute(
        "DO $$ BEGIN IF (SELECT count(*) FROM memory_pgvector) <> 1 OR (SELECT count(*) FROM"
            + " memory_vector) <> 0 THEN RAISE 'misplaced'; END IF; END $$");
    try (Storage again = Storage.open(server.url(), Path.of(""))) {
      assertThat(again.memory().unembedded("a", "m", 0, 9)).isEmpty();
    }
  }
}
