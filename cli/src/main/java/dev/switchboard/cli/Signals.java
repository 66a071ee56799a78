package dev.switchboard.cli;

import dev.switchboard.process.ProcessEnd;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Work that ends in order after a signal to the process.
final class Signals {
  private Signals() {}

  /// Work that reads an input.
  interface Work<T extends @Nullable Object> {
    T run() throws IOException;
  }

  /// The result of the work. A signal meanwhile runs that action, and the process waits for it.
  @SuppressWarnings("try") // the action is registered until the work is done
  static <T extends @Nullable Object> T ending(Runnable onSignal, Work<T> work) throws IOException {
    try (ProcessEnd.Before unused = ProcessEnd.first(onSignal)) {
      return work.run();
    }
  }

  /// The result of the work. A signal meanwhile cancels it, and the process waits until the work
  /// has reported its outcome.
  @SuppressWarnings("try") // the action is registered until the work is done
  static <T extends @Nullable Object> T cancelling(Runnable cancel, Supplier<T> work) {
    CountDownLatch over = new CountDownLatch(1);
    Runnable onSignal =
        () -> {
          cancel.run();
          await(over);
        };
    try (ProcessEnd.Before unused = ProcessEnd.first(onSignal)) {
      return work.get();
    } finally {
      over.countDown();
    }
  }

  private static void await(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
