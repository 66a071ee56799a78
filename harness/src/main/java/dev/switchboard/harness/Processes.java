package dev.switchboard.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// Processes that a test has started, as the system's signals treat them.
public final class Processes {
  private Processes() {}

  /// Stops a process where it is, and waits until it has stopped: its threads go on for a moment
  /// after the signal is sent, long enough to take a lock.
  public static void stop(long pid) {
    signal("-STOP", pid);
    Path threads = Path.of("/proc", String.valueOf(pid), "task");
    if (Files.exists(threads)) { // only Linux tells
      Awaitility.await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> allHaveStopped(threads));
    }
  }

  private static boolean allHaveStopped(Path threads) throws IOException {
    try (Stream<Path> all = Files.list(threads)) {
      return all.allMatch(Processes::hasStopped);
    }
  }

  /// The state is the word after the name, which is in parentheses; `proc_pid_stat(5)`.
  private static boolean hasStopped(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      return false; // It has ended: look again.
    }
  }

  /// Has a process go on where it was stopped.
  public static void go(long pid) {
    signal("-CONT", pid);
  }

  /// Kills a process and all that it has started, as `kill -9` does, and waits until they have
  /// ended.
  public static void killTree(long pid) {
    ProcessHandle first = ProcessHandle.of(pid).orElseThrow();
    // Stopped, it starts no other while we look: one that outlives it may wait for ever.
    stop(pid);
    List<ProcessHandle> all = new ArrayList<>(List.of(first));
    all.addAll(first.descendants().toList());
    // The first one first, which would start the others again.
    all.forEach(ProcessHandle::destroyForcibly);
    Awaitility.await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  /// The same of the process whose id is the first line of that file.
  public static void killTree(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      killTree(Long.parseLong(lines.findFirst().orElseThrow().strip()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void signal(String name, long pid) {
    try {
      Process sent = new ProcessBuilder("kill", name, String.valueOf(pid)).inheritIO().start();
      if (sent.waitFor() != 0) {
        throw new AssertionError("kill " + name + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
