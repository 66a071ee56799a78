package dev.switchboard.store;

import static org.awaitility.Awaitility.await;

import dev.switchboard.harness.Killed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process said it remembers is there after it was killed in the midst of its work, once,
/// and found.
@Tag("slow")
class KilledMemoryTest {
  private static final int ROUNDS = Integer.getInteger("switchboard.kills", 5);

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
    Random moments = Killed.moments("memory in " + url.split(":")[0]);
    Set<Integer> acknowledged = new TreeSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      acknowledged.addAll(Killed.acknowledged(moments, KilledMemoryWriter.class, url));
      settled.run();
      try (Storage storage = Storage.open(url, Path.of(""))) {
        new MemoryWork(storage.memory(), "a").isWhole(acknowledged);
      }
    }
  }
}
