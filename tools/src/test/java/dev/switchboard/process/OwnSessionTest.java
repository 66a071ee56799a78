package dev.switchboard.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class OwnSessionTest {
  @TempDir Path folder;

  @Test
  @EnabledOnOs(OS.LINUX)
  void runsInItsOwnSessionAwayFromTerminalSignals() throws Exception {
    try (ChildProcess child =
        ChildProcess.start(List.of("sh", "-c", "cut -d' ' -f6 /proc/$$/stat"), null, Map.of())) {
      assertThat(output(child)).isEqualTo(String.valueOf(child.process().pid()));
    }
  }

  @Test
  void getsItsWordsUnchanged() throws Exception {
    List<String> words = List.of("printf", "%s|", "--", "-c", "a b", "", "$HOME", "ü");

    try (ChildProcess child = ChildProcess.start(words, null, Map.of())) {
      assertThat(output(child)).isEqualTo("--|-c|a b||$HOME|ü|");
    }
  }

  @Test
  void aProgramWithAPathIsSoughtFromItsFolder() throws Exception {
    Path script = Files.writeString(folder.resolve("own"), "#!/bin/sh\npwd; exit 3\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));

    try (ChildProcess child = ChildProcess.start(List.of("./own"), folder, Map.of())) {
      assertThat(output(child)).isEqualTo(folder.toRealPath().toString());
      assertThat(child.process().waitFor()).isEqualTo(3);
    }
  }

  @Test
  void aProgramThatDoesNotExistCannotBeStarted() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "no program");

    for (String program :
        List.of("no-such-program", "./no-such-program", "./text", text.toString(), "/", "a\0b")) {
      assertThatThrownBy(() -> ChildProcess.start(List.of(program), folder, Map.of()))
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> ChildProcess.start(List.of("sh"), folder.resolve("none"), Map.of()))
        .isInstanceOf(IOException.class);
  }

  private static String output(ChildProcess child) throws IOException {
    byte[] bytes = child.process().getInputStream().readAllBytes();
    return new String(bytes, StandardCharsets.UTF_8).strip();
  }
}
