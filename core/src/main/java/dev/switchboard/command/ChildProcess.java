package dev.switchboard.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A program that was started by no shell, and that is ended together with all that it has started.
///
/// Safe for use by several threads.
final class ChildProcess implements AutoCloseable {
  private static final List<String> PASSED_ON = List.of("HOME", "PATH");

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
  static ChildProcess start(
      List<String> words, @Nullable Path folder, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words);
    Map<String, String> variables = builder.environment();
    variables.keySet().retainAll(PASSED_ON);
    variables.putAll(environment);
    if (folder != null) {
      builder.directory(folder.toFile());
    }
    return new ChildProcess(builder.start());
  }

  /// The program as the JDK sees it.
  Process process() {
    return process;
  }

  /// Ends the program and its descendants at once, without waiting for their end.
  @Override
  public void close() {
    // Its descendants are known through it only as long as it lives.
    List<ProcessHandle> all = process.descendants().toList();
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
