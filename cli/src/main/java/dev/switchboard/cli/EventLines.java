package dev.switchboard.cli;

import dev.switchboard.tool.Event;
import java.io.PrintStream;
import java.util.concurrent.locks.ReentrantLock;

/// Prints events as JSON, one per line, and flushes each. Thread-safe.
final class EventLines {
  private final PrintStream out;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean broken;

  EventLines(PrintStream out) {
    this.out = out;
  }

  void show(Event event) {
    String line = event.json().text() + "\n";
    lock.lock();
    try {
      out.print(line);
      if (out.checkError()) {
        broken = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether the reader is gone.
  boolean broken() {
    return broken;
  }
}
