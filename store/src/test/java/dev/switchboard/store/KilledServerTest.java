package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.StoreException;
import dev.switchboard.harness.Killed;
import dev.switchboard.harness.Processes;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a PostgreSQL server acknowledged is there after it was killed in the midst of its work and
/// started again, and those who were at work go on without a start of their own.
@Tag("slow")
class KilledServerTest {
  private static final int ROUNDS = 2;
  private static final int WRITERS = 4;

  @TempDir private Path folder;

  @Test
  void losesNothingThatWasAcknowledged() throws Exception {
    Random moments = Killed.moments("the server");
    EmbeddedPostgres server = start(0);
    String url = "postgresql://postgres@localhost:%d/postgres".formatted(server.getPort());
    try (Storage storage = Storage.open(url, Path.of(""))) {
      List<Writer> writers =
          IntStream.range(0, WRITERS).mapToObj(i -> new Writer(storage, "agent" + i)).toList();
      for (int round = 0; round < ROUNDS; round++) {
        server = killedAtWork(server, writers, moments);
        writers.forEach(writer -> writer.work.isWhole(writer.acknowledged));
      }
    } finally {
      server.close();
    }
  }

  private EmbeddedPostgres start(int port) throws IOException {
    return EmbeddedPostgres.builder()
        .setDataDirectory(folder)
        .setCleanDataDirectory(false)
        .setPort(port)
        .setServerConfig("synchronous_commit", "on")
        .start();
  }

  /// The server that was started in the place of one that was killed while these wrote.
  private EmbeddedPostgres killedAtWork(
      EmbeddedPostgres server, List<Writer> writers, Random moments) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> work = writers.stream().map(threads::submit).toList();
      try {
        await().until(() -> writers.stream().allMatch(Writer::isAtWork));
        CompletableFuture.runAsync(this::kill, Killed.after(moments)).join();
        server.close();
        EmbeddedPostgres next = start(server.getPort());
        writers.forEach(Writer::endAfterNext);
        boolean noticed = false;
        for (Future<Boolean> one : work) {
          // Who waited for a connection all the time has noticed nothing.
          noticed |= one.get(5, TimeUnit.MINUTES);
        }
        assertThat(noticed).as("somebody noticed the death").isTrue();
        return next;
      } finally {
        writers.forEach(Writer::end);
      }
    }
  }

  /// Kills the server of this test's own folder, and all its processes.
  private void kill() {
    Processes.killTree(folder.resolve("postmaster.pid"));
  }

  /// Does [MemoryWork], whatever becomes of the server, until it is told to end.
  private static final class Writer implements Callable<Boolean> {
    final MemoryWork work;
    final Set<Integer> acknowledged = new ConcurrentSkipListSet<>();
    private volatile boolean ending;
    private volatile boolean ended;
    private volatile int atStart;

    Writer(Storage storage, String agent) {
      work = new MemoryWork(storage.memory(), agent);
    }

    @Override
    public Boolean call() {
      ending = false;
      ended = false;
      atStart = acknowledged.size();
      int failures = 0;
      for (boolean last = false; !last && !ended; ) {
        boolean wasEnding = ending;
        try {
          acknowledged.add(work.next());
          last = wasEnding;
        } catch (StoreException e) {
          failures++;
        }
      }
      return failures > 0;
    }

    boolean isAtWork() {
      return acknowledged.size() > atStart;
    }

    void endAfterNext() {
      ending = true;
    }

    void end() {
      ended = true;
    }
  }
}
