package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoundAgentTest {
  private static final String AGENT = "[agent]\nname = \"A\"\nmodel = \"scripted:demo\"\n";

  @TempDir private Path folder;

  @Test
  void theOnlyFileOfTheFolderIsTaken() throws IOException {
    Path file = Files.writeString(folder.resolve("desk.toml"), AGENT);
    Files.writeString(folder.resolve("Cargo.toml"), "[package]\nname = \"x\"\n");
    Files.writeString(folder.resolve("broken.toml"), "\0 =");

    assertThat(Cli.runIn(folder, "validate")).isEqualTo(new Cli(0, file + ": ok (0 tools)\n", ""));
    assertThat(Cli.runIn(folder, "chat", "-m", "Hello").exit()).isZero();
    assertThat(Cli.runIn(folder, "exec").exit()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"validate", "chat", "exec", "serve"})
  void severalFilesAreNamed(String command) throws IOException {
    Path first = Files.writeString(folder.resolve("a.toml"), AGENT);
    Path second = Files.writeString(folder.resolve("b.toml"), AGENT);

    assertThat(Cli.runIn(folder, command))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: There are several agents' files here: %s, %s; name one of them.\n"
                    .formatted(first, second)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"validate", "chat", "exec", "serve"})
  void withoutAFileTheRemedyIsTold(String command) {
    assertThat(Cli.runIn(folder, command))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: There is no agent's file here: name one, or write one with"
                    + " 'switchboard init'.\n"));
  }
}
