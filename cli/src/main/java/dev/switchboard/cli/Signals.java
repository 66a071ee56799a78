package dev.switchboard.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Work that a signal to the process ends in order.
final class Signals {
  private Signals() {}

  /// Work that reads an input.
  interface Work<T extends @Nullable Object> {
    T run() throws IOException;
  }

  /// What the work comes to; a signal meanwhile runs that action, which the process waits for.
  static <T extends @Nullable Object> T ending(Runnable onSignal, Work<T> work) throws IOException {
    Thread hook = new Thread(onSignal, "signal");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return work.run();
    } finally {
      forget(hook);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The signal came; the process ends when its thread has.
    }
  }
}
