package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Processes that are killed in the midst of their work.
final class Killed {
  private Killed() {}

  /// The numbers that a process acknowledged which was killed once it had come to that one.
  static List<Integer> acknowledgedUntil(int number, Class<?> program, String place)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                place)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<Integer> numbers = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.matches("[0-9]+")) {
          numbers.add(Integer.parseInt(line));
        }
        if (!numbers.isEmpty() && numbers.getLast() >= number) {
          // Not by the process itself, which would close its output unread.
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(numbers).isNotEmpty().last().matches(last -> last >= number);
    return numbers;
  }
}
