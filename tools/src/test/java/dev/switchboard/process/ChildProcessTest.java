package dev.switchboard.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a program leaves behind ends with it.
@EnabledOnOs(OS.LINUX)
class ChildProcessTest {
  @TempDir private Path scripts;
  private String sleeper = "";

  /// Makes the program that writes its number and sleeps.
  @BeforeEach
  void makeSleeper() throws IOException {
    Path script = scripts.resolve("sleeper");
    sleeper = Files.writeString(script, "echo $$; exec sleep 600 >/dev/null 2>&1\n").toString();
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private static ChildProcess shell(String script) throws IOException {
    return ChildProcess.start(List.of("sh", "-c", script), null, Map.of());
  }

  private static ProcessHandle handle(String number) {
    return ProcessHandle.of(Long.parseLong(number)).orElseThrow();
  }

  /// Whether it runs no more; the system may not have asked for its exit code yet.
  private static void hasEnded(ProcessHandle process) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> process.info().command().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Of a living parent, and of one that has ended.
        "%s & sleep 600",
        "(%s &); sleep 600",
        // In a session of its own, once and twice removed.
        "setsid %s & sleep 600",
        "(setsid %s &); sleep 600",
        "(setsid sh -c '(setsid %s &)' &); sleep 600",
        "(nohup %s 2>/dev/null &); sleep 600",
        // Without the environment, in the session of the program.
        "(env -i PATH=$PATH %s &); sleep 600",
        // The program itself has ended.
        "(%s &); exit 0",
        "(setsid %s &); exit 3",
      })
  @SuppressWarnings("try") // its end is what is tested
  void whateverItStartedEndsWithIt(String script) throws Exception {
    try (ChildProcess child = shell(script.formatted(sleeper));
        BufferedReader out = child.process().inputReader(StandardCharsets.UTF_8)) {
      ProcessHandle left = handle(out.readLine());
      assertThat(left.isAlive()).isTrue();

      child.close();

      hasEnded(left);
      hasEnded(child.process().toHandle());
    }
  }

  @Test
  void whatIsLeftEndsAfterAGracefulEndToo() throws Exception {
    ChildProcess child = shell("(setsid %s &); read line".formatted(sleeper));
    try (BufferedReader out = child.process().inputReader(StandardCharsets.UTF_8)) {
      ProcessHandle left = handle(out.readLine());

      child.end(Duration.ofMinutes(1));

      assertThat(child.process().exitValue()).isEqualTo(1);
      hasEnded(left);
    }
  }

  @Test
  void aProgramWithinAProgramHasBothMarks() throws Exception {
    try (ChildProcess child = shell("echo $" + Descendants.VARIABLE);
        BufferedReader out = child.process().inputReader(StandardCharsets.UTF_8)) {
      String outer = System.getenv(Descendants.VARIABLE);
      assertThat(out.readLine()).matches((outer == null ? "" : outer + ":") + "[0-9a-f-]{36}");
    }
  }

  @Test
  void otherProgramsGoOn() throws Exception {
    try (ChildProcess other = shell(sleeper);
        BufferedReader out = other.process().inputReader(StandardCharsets.UTF_8)) {
      ProcessHandle stays = handle(out.readLine());
      shell("(%s &)".formatted(sleeper)).close();

      assertThat(stays.isAlive()).isTrue();
    }
  }

  @Test
  void isInASessionOfItsOwn() throws Exception {
    try (ChildProcess child = shell("cut -d ' ' -f 6 /proc/$$/stat; echo $$");
        BufferedReader out = child.process().inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).isEqualTo(String.valueOf(child.process().pid()));
      assertThat(out.readLine()).isEqualTo(String.valueOf(child.process().pid()));
    }
  }

  @Test
  void aProgramThatIsNotThereIsReported(@TempDir Path folder) {
    for (String name : List.of("no-such-program-here", "./none", "a\0b", "")) {
      assertThatThrownBy(() -> ChildProcess.start(List.of(name), folder, Map.of()))
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> ChildProcess.start(List.of(folder.toString()), null, Map.of()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aPathIsOneInTheFolderOfTheProgram(@TempDir Path folder) throws Exception {
    Path script = Files.writeString(folder.resolve("hello"), "echo \"$1\"\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    try (ChildProcess child =
            ChildProcess.start(List.of("./hello", "--version"), folder, Map.of());
        BufferedReader out = child.process().inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).isEqualTo("--version");
    }
  }
}
