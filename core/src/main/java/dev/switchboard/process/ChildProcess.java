package dev.switchboard.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program that is started without a shell. It is ended with all its descendants: when this is
/// closed, or at the end of this process.
///
/// Thread-safe.
public final class ChildProcess implements AutoCloseable {
  private static final List<String> PASSED_ON = List.of("HOME", "PATH");

  private static final String MARK = "SWITCHBOARD_PROCESS";
  private static final Path PROCESSES = Path.of("/proc");

  private final Process process;
  private final @Nullable String mark;

  private ChildProcess(Process process, @Nullable String mark) {
    this.process = process;
    this.mark = mark;
  }

  /// Starts a program. It inherits only `HOME` and `PATH` from this process's environment.
  ///
  /// @param words the program and its arguments, unchanged
  /// @param folder its working directory, null for that of this process
  /// @param environment further variables
  /// @throws IOException when there is no such program, or it cannot be started
  public static ChildProcess start(
      List<String> words, @Nullable Path folder, Map<String, String> environment)
      throws IOException {
    return start(words, folder, environment, null);
  }

  /// Starts a program as [#start] does, with an additional variable `SWITCHBOARD_PROCESS`. Its
  /// descendants inherit it, so that on Linux [#end] also finds those whose parent has ended.
  ///
  /// @throws IOException when there is no such program, or it cannot be started
  public static ChildProcess startMarked(
      List<String> words, @Nullable Path folder, Map<String, String> environment)
      throws IOException {
    return start(words, folder, environment, UUID.randomUUID().toString());
  }

  private static ChildProcess start(
      List<String> words,
      @Nullable Path folder,
      Map<String, String> environment,
      @Nullable String mark)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words);
    Map<String, String> variables = builder.environment();
    variables.keySet().retainAll(PASSED_ON);
    variables.putAll(environment);
    if (mark != null) {
      variables.put(MARK, mark);
    }
    if (folder != null) {
      // A path without a name is the folder of this process, which `File` does not know.
      builder.directory(folder.toAbsolutePath().toFile());
    }
    ChildProcess child = new ChildProcess(builder.start(), mark);
    ProcessEnd.ends(child);
    return child;
  }

  /// The program's process.
  public Process process() {
    return process;
  }

  /// Ends the program gracefully: closes its standard input, sends a signal after that time, and
  /// kills it and its descendants after the same time again.
  ///
  /// @throws InterruptedException when the thread is interrupted; then they are killed at once
  public void end(Duration patience) throws InterruptedException {
    // Its descendants can be found through it only while it lives.
    List<ProcessHandle> descendants = process.descendants().toList();
    try {
      // On a separate thread: it blocks while the program does not read its input.
      Thread.ofVirtual().name("end of input").start(this::closeInput);
      if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        descendants = process.descendants().toList();
        process.destroy();
        boolean unused = process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
      }
    } finally {
      close();
      descendants.forEach(ProcessHandle::destroyForcibly);
      marked().forEach(ProcessHandle::destroyForcibly);
    }
  }

  /// The processes with the mark, whatever their parents are.
  private Stream<ProcessHandle> marked() {
    return mark == null || !Files.isDirectory(PROCESSES)
        ? Stream.empty()
        : ProcessHandle.allProcesses().filter(this::isMarked);
  }

  private boolean isMarked(ProcessHandle other) {
    try {
      Path environment = PROCESSES.resolve(String.valueOf(other.pid())).resolve("environ");
      String variables = new String(Files.readAllBytes(environment), StandardCharsets.ISO_8859_1);
      return ("\0" + variables).contains("\0" + MARK + "=" + mark + "\0");
    } catch (IOException e) {
      return false; // it has ended, or another user owns it
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
    ProcessEnd.ended(this);
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
  }
}
