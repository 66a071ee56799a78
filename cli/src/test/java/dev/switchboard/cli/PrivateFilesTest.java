package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every file with words or keys that a command writes is its owner's alone.
class PrivateFilesTest {
  @TempDir private Path folder;

  @Test
  void whatCommandsWriteIsTheirOwnersAlone() throws IOException {
    String agent = MemoryToml.of(folder, "From");
    writeEverything(agent);

    Map<String, String> open = modes();
    open.values().removeIf("rw-------"::equals);
    assertThat(open).containsOnlyKeys("From.toml");
    assertThat(modes()).containsKeys("From.db", "audit.jsonl", "memory.jsonl", "tokens");
  }

  @Test
  void whatOthersCouldReadIsNarrowedOnceItIsOpened() throws IOException {
    String agent = MemoryToml.of(folder, "From");
    writeEverything(agent);
    for (String file : modes().keySet()) {
      Files.setPosixFilePermissions(
          folder.resolve(file), PosixFilePermissions.fromString("rw-r--r--"));
    }
    writeEverything(agent);

    Map<String, String> open = modes();
    open.values().removeIf("rw-------"::equals);
    assertThat(open).containsOnlyKeys("From.toml");
  }

  @Test
  void anExportLeavesAForeignPartFile() throws IOException {
    String agent = MemoryToml.of(folder, "From");
    Path part = Files.writeString(folder.resolve("memory.jsonl.part"), "foreign");
    writeEverything(agent);

    assertThat(part).hasContent("foreign");
    assertThat(modes().keySet()).noneMatch(name -> name.endsWith(".new"));
  }

  private void writeEverything(String agent) {
    run("memory", "edit", "guest", "--append", "Ada", agent);
    run("memory", "export", agent, "-o", path("memory.jsonl"));
    run("exec", "--conversation", "c", "--audit", path("audit.jsonl"), agent);
    run("token", "add", "--tokens", path("tokens"), "ada");
  }

  private static void run(String... command) {
    Cli unused = Cli.run(command);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  /// The permissions of every file, by its name.
  private Map<String, String> modes() throws IOException {
    Map<String, String> modes = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        modes.put(file.getFileName().toString(), mode);
      }
    }
    return modes;
  }
}
