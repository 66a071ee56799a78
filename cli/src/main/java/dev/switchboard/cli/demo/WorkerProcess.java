package dev.switchboard.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// `switchboard worker` in a separate process.
final class WorkerProcess implements AutoCloseable {
  private static final long PATIENCE = Duration.ofSeconds(10).toSeconds();

  private final Process process;

  /// Starts a worker for that file's agent.
  ///
  /// @param name in the environment variable `WORKER`
  /// @throws IOException when no process can be started
  WorkerProcess(Path file, String name) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (option.startsWith("-X") || option.startsWith("--enable-native-access")) {
        command.add(option);
      }
    }
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "dev.switchboard.cli.Main",
            "worker",
            file.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    builder.environment().put("WORKER", name);
    process = builder.start();
  }

  long pid() {
    return process.pid();
  }

  /// Waits until it is ready.
  ///
  /// @throws IOException when it has ended instead
  void awaitReady() throws IOException {
    BufferedReader lines = process.inputReader();
    if (lines.readLine() == null) {
      throw new IOException("worker " + pid() + " has ended before it worked");
    }
  }

  /// Kills it, like `kill -9`.
  void kill() {
    Process unused = process.destroyForcibly();
  }

  /// Ends it gracefully, so that it hands over its work.
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }
}
