package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Work of many threads that is written together: what becomes of one is not the others' trouble.
class CommitsTest {
  private static final int WORKS = 200;

  @TempDir private Path folder;
  private Database database;

  @BeforeEach
  void open() {
    database = Database.open(folder.resolve("some.db"));
    database.change("CREATE TABLE thing (number INTEGER PRIMARY KEY)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private List<Long> things() {
    return database.query("SELECT number FROM thing ORDER BY number", row -> row.number(1));
  }

  /// Each third work is not to be kept, and each third fails; all begin behind one that lasts.
  @Test
  void eachHasItsOwnOutcome() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Map<Integer, String> outcomes = new ConcurrentHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      all.add(
          threads.submit(() ->
              database.together(session -> {
                begun.countDown();
                awaitQuietly(end);
                return session.change("INSERT INTO thing VALUES (-1)");
              })));
      begun.await();
      for (int i = 0; i < WORKS; i++) {
        int number = i;
        all.add(threads.submit(() -> outcomes.put(number, outcome(number))));
      }
      end.countDown();
      for (Future<?> one : all) {
        one.get();
      }
    }
    for (int i = 0; i < WORKS; i++) {
      assertThat(outcomes)
          .containsEntry(
              i,
              switch (i % 3) {
                case 0 -> "kept";
                case 1 -> "not kept";
                default -> "it is " + i;
              });
    }
    assertThat(things())
        .containsExactlyElementsOf(
            IntStream.range(-3, WORKS)
                .filter(i -> i == -1 || i >= 0 && i % 3 == 0)
                .mapToObj(Long::valueOf)
                .toList());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String outcome(int number) {
    try {
      boolean kept =
          database.together(session -> {
            boolean inserted = session.change("INSERT INTO thing VALUES (?)", number);
            if (number % 3 == 2) {
              throw new IllegalStateException("it is " + number);
            }
            return inserted && number % 3 == 0;
          });
      return kept ? "kept" : "not kept";
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void whatIsGivenUpIsNotDone() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> lasts =
          threads.submit(() ->
              database.together(session -> {
                begun.countDown();
                awaitQuietly(end);
                return session.change("INSERT INTO thing VALUES (1)");
              }));
      begun.await();
      Future<?> waits =
          threads.submit(() ->
              database.within(
                  Duration.ofMillis(20), () -> database.change("INSERT INTO thing VALUES (2)")));
      assertThatThrownBy(waits::get)
          .hasCauseInstanceOf(StoreException.class)
          .hasMessageContaining("it is busy with other work of this program");
      end.countDown();
      assertThat(lasts.get()).isTrue();
    }
    assertThat(database.change("INSERT INTO thing VALUES (3)")).isTrue();
    assertThat(things()).containsExactly(1L, 3L);
  }

  @Test
  void anInterruptKeepsNothingFromBeingWritten() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> interrupted =
          threads.submit(() -> {
            Thread.currentThread().interrupt();
            return database.change("INSERT INTO thing VALUES (1)")
                && Thread.currentThread().isInterrupted();
          });
      assertThat(interrupted.get()).isTrue();
    }
    assertThat(things()).containsExactly(1L);
  }

  @Test
  void aFaultIsTheStoresOwn() {
    assertThatThrownBy(() -> database.change("INSERT INTO nothing VALUES (1)"))
        .isInstanceOf(StoreException.class);
    assertThat(database.change("INSERT INTO thing VALUES (7)")).isTrue();
    assertThat(database.change("DELETE FROM thing WHERE number = 8")).isFalse();
    assertThat(things()).containsExactly(7L);
  }
}
