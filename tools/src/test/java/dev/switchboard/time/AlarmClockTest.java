package dev.switchboard.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class AlarmClockTest {
  private final AlarmClock clock = new AlarmClock();
  private final CountDownLatch done = new CountDownLatch(1);

  private static long in(long millis) {
    return System.nanoTime() + Duration.ofMillis(millis).toNanos();
  }

  @Test
  void goesOffAtItsMomentAndNotBefore() throws InterruptedException {
    long due = in(30);
    AtomicLong at = new AtomicLong();
    clock.set(
        due,
        () -> {
          at.set(System.nanoTime());
          done.countDown();
        });
    done.await();
    assertThat(at.get() - due).isNotNegative();
    assertThat(clock.size()).isZero();
  }

  @Test
  void goesOffAtOnceWhereTheMomentHasPassed() throws InterruptedException {
    clock.set(in(-1000), done::countDown);
    done.await();
  }

  @Test
  void goesOffInOrder() throws InterruptedException {
    List<String> heard = new CopyOnWriteArrayList<>();
    long first = in(100);
    clock.set(
        first + 2,
        () -> {
          heard.add("third");
          done.countDown();
        });
    clock.set(first, () -> heard.add("first"));
    clock.set(first, () -> heard.add("second"));
    done.await();
    assertThat(heard).containsExactly("first", "second", "third");
  }

  @Test
  void isWokenForAnEarlierAlarm() throws InterruptedException {
    clock.set(in(60_000), () -> {});
    clock.set(in(10), done::countDown);
    assertThat(done.await(5, TimeUnit.MINUTES)).isTrue();
    assertThat(clock.size()).isOne();
  }

  @Test
  void doesNotGoOffWhenItWasCancelled() throws InterruptedException {
    List<String> heard = new CopyOnWriteArrayList<>();
    clock.set(in(100), () -> heard.add("cancelled")).cancel();
    clock.set(in(110), done::countDown);
    done.await();
    assertThat(heard).isEmpty();
  }

  @Test
  void keepsNoCancelledAlarm() {
    for (int i = 0; i < 10_000; i++) {
      clock.set(in(10_000), () -> {}).cancel();
    }
    assertThat(clock.size()).isZero();
  }

  @Test
  void goesOnAfterAnActionThatThrows() throws InterruptedException {
    clock.set(
        in(0),
        () -> {
          throw new AssertionError("broken");
        });
    clock.set(in(5), done::countDown);
    done.await();
  }

  @Test
  void goesOnWhereEvenTheLogThrows() throws InterruptedException {
    Handler broken = new BrokenHandler();
    Logger log = Logger.getLogger(Time.class.getName());
    log.addHandler(broken);
    try {
      clock.set(
          in(0),
          () -> {
            throw new AssertionError("broken");
          });
      clock.set(in(20), done::countDown);
      assertThat(done.await(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      log.removeHandler(broken);
    }
  }

  private static final class BrokenHandler extends Handler {
    @Override
    public void publish(LogRecord entry) {
      throw new OutOfMemoryError("of a test");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void losesNoneOfManyThatAreSetAtOnce() throws InterruptedException {
    int each = 2_000;
    CountDownLatch heard = new CountDownLatch(4 * each);
    List<Thread> threads = new ArrayList<>();
    for (int n = 0; n < 4; n++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < each; i++) {
              clock.set(System.nanoTime() + i % 50 * 1_000L, heard::countDown);
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(heard.await(5, TimeUnit.MINUTES)).isTrue();
    assertThat(clock.size()).isZero();
  }
}
