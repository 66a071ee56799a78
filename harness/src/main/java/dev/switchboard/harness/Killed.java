package dev.switchboard.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// Processes that are killed in the midst of their work, at any moment of it.
public final class Killed {
  private static final int LONGEST_MICROS = 150_000;

  private Killed() {}

  /// Moments, of a seed that is printed.
  public static Random moments(String what) {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("moments of death, " + what + ": seed " + seed);
    return new Random(seed);
  }

  /// Runs an action after a time of these, on another thread.
  public static Executor after(Random moments) {
    return CompletableFuture.delayedExecutor(
        moments.nextInt(LONGEST_MICROS), TimeUnit.MICROSECONDS);
  }

  /// A process of that program, in the class path of this one.
  public static Process start(Class<?> program, String place) throws IOException {
    return new ProcessBuilder(
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
  }

  /// The numbers that a process acknowledged which was killed a moment after the first.
  public static List<Integer> acknowledged(Random moments, Class<?> program, String place)
      throws IOException, InterruptedException {
    Process process = start(program, place);
    List<Integer> numbers = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.matches("[0-9]+")) {
          numbers.add(Integer.parseInt(line));
        }
        if (numbers.size() == 1) {
          // Not by the process itself, which would close its output unread.
          after(moments).execute(process.toHandle()::destroyForcibly);
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(numbers).isNotEmpty();
    return numbers;
  }
}
