package dev.switchboard.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program that is started without a shell, in a session of its own where the system has
/// `setsid`, so that a signal of the terminal does not reach it. It is ended with all processes
/// that it started: when this is closed, or at the end of this process.
///
/// On Linux these are found also if their parents have ended or they have sessions of their own, by
/// the variable `SWITCHBOARD_PROCESS` of their environment and by the program's session. On other
/// systems they are those whose parents run. Thread-safe.
public final class ChildProcess implements AutoCloseable {
  private static final List<String> PASSED_ON = List.of("HOME", "PATH");
  private static final List<String> SESSION = List.of("/usr/bin/setsid", "/bin/setsid");

  private final Process process;
  private final Descendants descendants;

  private ChildProcess(Process process, String mark) {
    this.process = process;
    descendants = new Descendants(process.toHandle(), mark);
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
    String mark = UUID.randomUUID().toString();
    ProcessBuilder builder = new ProcessBuilder(inSession(words, folder));
    Map<String, String> variables = builder.environment();
    variables.keySet().retainAll(PASSED_ON);
    variables.putAll(environment);
    variables.put(Descendants.VARIABLE, Descendants.variable(mark));
    if (folder != null) {
      // A path without a name is the folder of this process, which `File` does not know.
      builder.directory(folder.toAbsolutePath().toFile());
    }
    ChildProcess child = new ChildProcess(builder.start(), mark);
    ProcessEnd.ends(child);
    return child;
  }

  /// The words that start the program in a session of its own; unchanged if the system cannot, or
  /// there is no such program, which is then reported.
  private static List<String> inSession(List<String> words, @Nullable Path folder) {
    for (String setsid : SESSION) {
      if (Files.isExecutable(Path.of(setsid))) {
        Path program = program(words.getFirst(), folder);
        return program == null
            ? words
            : Stream.concat(
                    Stream.of(setsid, "--", program.toString()),
                    words.subList(1, words.size()).stream())
                .toList();
      }
    }
    return words;
  }

  /// The file of a program, null if there is none: a name is looked up in `PATH`.
  private static @Nullable Path program(String name, @Nullable Path folder) {
    String places = name.contains("/") ? "" : System.getenv().getOrDefault("PATH", "");
    Path here = (folder == null ? Path.of("") : folder).toAbsolutePath();
    try {
      return Stream.of(places.split(File.pathSeparator, -1))
          .map(place -> here.resolve(place).resolve(name))
          .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
          .findFirst()
          .orElse(null);
    } catch (InvalidPathException e) {
      return null;
    }
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
    // On other systems its descendants can be found through it only while it lives.
    List<ProcessHandle> known = process.descendants().toList();
    try {
      // On a separate thread: it blocks while the program does not read its input.
      Thread.ofVirtual().name("end of input").start(this::closeInput);
      if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        known = process.descendants().toList();
        process.destroy();
        boolean unused = process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
      }
    } finally {
      close();
      known.forEach(ProcessHandle::destroyForcibly);
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
    List<ProcessHandle> known = process.descendants().toList();
    process.destroyForcibly();
    known.forEach(ProcessHandle::destroyForcibly);
    descendants.kill();
  }
}
