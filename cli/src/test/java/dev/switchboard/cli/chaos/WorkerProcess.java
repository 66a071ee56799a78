package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/// `switchboard worker`, in a process of its own.
final class WorkerProcess implements AutoCloseable {

  private final Process process;
  private final Path log;

  private WorkerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /// A worker for the agent of that file; what it prints goes behind what is in the log.
  static WorkerProcess start(Path agent, Path log) {
    try {
      Files.deleteIfExists(log);
      return new WorkerProcess(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xshare:auto",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "dev.switchboard.cli.Main",
                  "worker",
                  agent.toString())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(log.toFile()))
              .start(),
          log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  WorkerProcess awaitStart() {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(20))
        .until(() -> said().contains("Working for") || !process.isAlive());
    assertThat(process.isAlive()).as("%s", said()).isTrue();
    return this;
  }

  /// All that it has printed.
  String said() {
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Kills it, as `kill -9` does.
  void kill() {
    Process unused = process.destroyForcibly();
    await();
  }

  /// Stops it where it is.
  void stop() {
    Processes.stop(process.pid());
  }

  /// Has it go on where it was stopped.
  void go() {
    Processes.go(process.pid());
  }

  /// Tells it to end, and returns with which code it has ended.
  int end() {
    process.destroy();
    await();
    return process.exitValue();
  }

  private void await() {
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it has ended").isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    Process unused = process.destroyForcibly();
  }
}
