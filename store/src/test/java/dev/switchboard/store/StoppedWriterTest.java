package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.time.Time;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A process that stands still between two commands of a transaction, as one does that is stopped
/// or whose network hangs.
@Tag("slow")
class StoppedWriterTest {
  @Test
  void itsLocksAreFreeBeforeThoseWhoWaitForThemGiveUp() throws InterruptedException {
    String place = PostgresServer.newPlace();
    LineTable lines = new LineTable("agent", Time.SYSTEM);
    List<Command> locking = List.of(lines.begin("c", "local"), lines.lock("c", 0, null));
    AtomicInteger attempts = new AtomicInteger();
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Postgres stopped = Postgres.open(place);
        Postgres other = Postgres.open(place)) {
      CompletableFuture<Boolean> stopping =
          CompletableFuture.supplyAsync(() ->
              stopped.together(session -> {
                assertThat(session.run(locking).isKept()).isTrue();
                attempts.incrementAndGet();
                locked.countDown();
                await(goOn);
                return true;
              }));
      locked.await();

      boolean written = other.together(session -> session.run(locking).isKept());

      assertThat(written).isTrue();
      goOn.countDown();
      // Its own work was taken back, and is done again.
      assertThat(stopping.join()).isTrue();
      assertThat(attempts).hasValue(2);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
