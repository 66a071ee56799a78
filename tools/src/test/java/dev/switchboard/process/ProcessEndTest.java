package dev.switchboard.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A process that has started programs gets a signal.
class ProcessEndTest {
  /// The process. It tells the number of a program that it does not wait for.
  static final class Main {
    private Main() {}

    @SuppressWarnings("try") // they are there at the end
    public static void main(String[] args) throws Exception {
      ChildProcess waited = sleeping("0.7; exit 7");
      ChildProcess endless = sleeping("600");
      try (ProcessEnd.Before gone = ProcessEnd.first(() -> System.out.println("never"))) {
        System.out.println(endless.process().pid());
      }
      ProcessEnd.Before unused =
          ProcessEnd.first(() -> System.out.println(waited.process().onExit().join().exitValue()));
      System.out.println("ready");
      new CountDownLatch(1).await();
    }

    private static ChildProcess sleeping(String seconds) throws IOException {
      return ChildProcess.start(List.of("sh", "-c", "sleep " + seconds), null, Map.of());
    }
  }

  @Tag("slow")
  @Test
  void waitsForProgramsInUseAtExitAndEndsTheRest() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      long endless = Long.parseLong(out.readLine());
      assertThat(out.readLine()).isEqualTo("ready");

      process.toHandle().destroy();

      assertThat(out.lines()).containsExactly("7");
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      Awaitility.await()
          .until(() -> ProcessHandle.of(endless).map(handle -> !handle.isAlive()).orElse(true));
    } finally {
      process.destroyForcibly();
    }
  }
}
