package dev.switchboard.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A program that was started by no shell, and that is ended together with all that it has started:
/// when it is closed, or at the end of this process.
///
/// Safe for use by several threads.
public final class ChildProcess implements AutoCloseable {
  private static final List<String> PASSED_ON = List.of("HOME", "PATH");

  private static final Set<ChildProcess> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(ChildProcess::close), "end of programs"));
  }

  private final Process process;

  private ChildProcess(Process process) {
    this.process = process;
  }

  /// Starts a program. Of this process's environment it gets `HOME` and `PATH` alone.
  ///
  /// @param words the program and its arguments, each as it is
  /// @param folder to start in, null for that of this process
  /// @param environment further variables
  /// @throws IOException when there is no such program, or it cannot be started
  public static ChildProcess start(
      List<String> words, @Nullable Path folder, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words);
    Map<String, String> variables = builder.environment();
    variables.keySet().retainAll(PASSED_ON);
    variables.putAll(environment);
    if (folder != null) {
      builder.directory(folder.toFile());
    }
    ChildProcess child = new ChildProcess(builder.start());
    RUNNING.add(child);
    return child;
  }

  /// The program as the JDK sees it.
  public Process process() {
    return process;
  }

  /// Ends the program as one that may put its things in order: its standard input is closed, after
  /// that time it is told to end, and after the same time again it is killed with its descendants.
  ///
  /// @throws InterruptedException when the thread is interrupted; then they are killed at once
  public void end(Duration patience) throws InterruptedException {
    // Its descendants are known through it only as long as it lives.
    List<ProcessHandle> descendants = process.descendants().toList();
    try {
      closeInput();
      if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        descendants = process.descendants().toList();
        process.destroy();
        boolean unused = process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
      }
    } finally {
      close();
      descendants.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended, or does not read.
    }
  }

  /// Ends the program and its descendants at once, without waiting for their end.
  @Override
  public void close() {
    RUNNING.remove(this);
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
  }
}
