package dev.switchboard.harness;

import java.io.BufferedReader;
import java.io.IOException;

/// The output of a process that a test has started.
public final class Output {
  private Output() {}

  /// Reads the rest of it and drops it, so that the process never waits; until the process ends.
  public static void drain(BufferedReader out) {
    // Reading a process keeps the carrier of a virtual thread, which other tests need.
    Thread.ofPlatform().daemon().start(() -> drop(out));
  }

  private static void drop(BufferedReader out) {
    try {
      while (out.readLine() != null) {}
    } catch (IOException ended) {
      // The process was ended meanwhile.
    }
  }
}
