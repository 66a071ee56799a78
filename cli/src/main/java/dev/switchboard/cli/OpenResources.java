package dev.switchboard.cli;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What a command that serves has opened; closed once, the latest first.
///
/// The main thread opens and closes; any thread may wait for the end.
final class OpenResources {
  private final Deque<AutoCloseable> all = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  void push(AutoCloseable resource) {
    all.push(resource);
  }

  /// Closes all, even after one has failed, and throws the first failure at the end.
  void close() throws Exception {
    Exception failure = null;
    while (!all.isEmpty()) {
      try {
        all.pop().close();
      } catch (Exception e) {
        failure = first(failure, e);
      }
    }
    closed.countDown();
    if (failure != null) {
      throw failure;
    }
  }

  private static Exception first(@Nullable Exception before, Exception next) {
    if (before == null) {
      return next;
    }
    before.addSuppressed(next);
    return before;
  }

  /// Ends the process with 0 after a signal, once all is closed, at the latest after that time.
  void endProcess(Duration most, Terminal terminal) {
    try {
      // What has not closed by then is a storage that does not answer.
      boolean unused = closed.await(most.toMillis(), TimeUnit.MILLISECONDS);
      terminal.out().flush();
      terminal.err().flush();
      Runtime.getRuntime().halt(0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
