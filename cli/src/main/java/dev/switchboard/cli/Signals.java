package dev.switchboard.cli;

import dev.switchboard.process.ProcessEnd;
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
  @SuppressWarnings("try") // the action is there until the work is done
  static <T extends @Nullable Object> T ending(Runnable onSignal, Work<T> work) throws IOException {
    try (ProcessEnd.Before unused = ProcessEnd.first(onSignal)) {
      return work.run();
    }
  }
}
