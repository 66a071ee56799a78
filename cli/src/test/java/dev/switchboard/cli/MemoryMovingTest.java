package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.memory.Entry;
import dev.switchboard.store.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryMovingTest {
  @TempDir private Path folder;
  private String from;
  private String to;
  private Path file;

  @BeforeEach
  void write() {
    from = MemoryToml.of(folder, "From");
    to = MemoryToml.of(folder, "To");
    file = folder.resolve("memory.jsonl");
    Cli.run("memory", "edit", "guest", "--append", "Ada", from);
    Cli.run("memory", "edit", "guest", "--append", "Zoë", from);
    Cli.run("memory", "undo", "guest", from);
    try (Storage storage = Storage.open("sqlite:From.db", folder)) {
      Instant noon = Instant.parse("2026-03-01T12:00:00Z");
      assertThat(
              storage
                  .memory()
                  .insert(
                      new Entry("From", Entry.ARCHIVAL, "1", "x", null, "dog", List.of(), noon)))
          .isTrue();
    }
  }

  @Test
  void movesByAFile() {
    assertThat(Cli.run("memory", "export", from, "-o", file.toString()))
        .isEqualTo(new Cli(0, file + " holds 3 blocks and 1 entry.\n", ""));
    assertThat(Cli.run("memory", "import", file.toString(), to))
        .isEqualTo(new Cli(0, "Taken: 3 blocks and 1 entry.\n", ""));

    assertThat(Cli.run("memory", "show", "guest", to).out()).isEqualTo("Ada\n");
    assertThat(Cli.run("memory", "redo", "guest", to).exit()).isZero();
    assertThat(Cli.run("memory", "show", "guest", to).out()).isEqualTo("Ada\nZoë\n");
    assertThat(Cli.run("memory", "search", "dog", "--json", to).json()).hasSize(1);
  }

  @Test
  void movesByAPipe() {
    String lines = Cli.run("memory", "export", from).out();

    assertThat(Cli.runWith("\ufeff" + lines, "memory", "import", "-", to).exit()).isZero();
    assertThat(Cli.runWith(lines, "memory", "import", "-", to))
        .isEqualTo(new Cli(0, "Taken: 0 blocks and 0 entries; 4 were there already.\n", ""));
    assertThat(Cli.run("memory", "export", to).out()).isEqualTo(lines.replace("From", "To"));
  }

  @Test
  void replacesOnlyWhenItIsTold() {
    String lines = Cli.run("memory", "export", from).out();
    Cli.run("memory", "edit", "guest", "--set", "Bo", to);

    assertThat(Cli.runWith(lines, "memory", "import", "-", to))
        .isEqualTo(
            new Cli(
                1,
                "",
                "switchboard: Nothing was taken: Agent 'To' has a block of its own already:"
                    + " 'guest'. --replace puts the file's there.\n"));
    assertThat(Cli.run("memory", "search", "dog", to).out()).isEqualTo("Nothing was found.\n");
    assertThat(Cli.runWith(lines, "memory", "import", "-", "--replace", to))
        .isEqualTo(new Cli(0, "Taken: 1 block and 1 entry; 2 were there already.\n", ""));
    assertThat(Cli.run("memory", "show", "guest", to).out()).isEqualTo("Ada\n");
  }

  @Test
  void takesNothingOfAFaultyFile() throws IOException {
    String lines = Cli.run("memory", "export", from).out();

    assertThat(Cli.runWith(lines.replace("\"dog\"", "7"), "memory", "import", "-", to).err())
        .contains("Nothing was taken: Line", "'text' must be a text.");
    assertThat(Cli.run("memory", "import", file.toString(), to))
        .isEqualTo(new Cli(2, "", "switchboard: " + file + " does not exist.\n"));
    assertThat(Cli.run("memory", "export", to).out().lines()).hasSize(2);
    Files.createDirectory(file);
    Files.writeString(file.resolve("x"), "");
    assertThat(Cli.run("memory", "export", from, "-o", file.toString()).exit()).isOne();
  }

  @Test
  void anExportTakesNoFoldersPlaceAndKeepsLinks() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(Cli.run("memory", "export", from, "-o", empty.toString()))
        .isEqualTo(new Cli(1, "", "switchboard: " + empty + " is a folder: name a file in it.\n"));
    Path missing = folder.resolve("none/m.jsonl");
    assertThat(Cli.run("memory", "export", from, "-o", missing.toString()).err())
        .contains(missing + " cannot be written: there is no such folder.");

    Files.writeString(file, "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThat(Cli.run("memory", "export", from, "-o", link.toString()).exit()).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(file)).contains("\"dog\"");
  }

  @Test
  void movesByAPipeWithAName() throws Exception {
    String lines = Cli.run("memory", "export", from).out();
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Thread writing =
        Thread.ofVirtual()
            .start(() -> {
              try {
                Files.writeString(pipe, lines);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });

    assertThat(Cli.run("memory", "import", pipe.toString(), to))
        .isEqualTo(new Cli(0, "Taken: 3 blocks and 1 entry.\n", ""));
    writing.join();
  }

  @Test
  void nothingOfAFileReachesTheTerminalAsACommand() throws IOException {
    String entry = "{\"type\":\"entry\",\"domain\":\"conversations\",\"id\":\"2\",";
    List<String> lines =
        List.of(
            "{\"type\":\"memory\",\"version\":1,\"agent\":\"To\"}",
            "{\"type\":\"block\",\"label\":\"n\",\"kind\":\"core\",\"description\":\"\\u001b[1m\","
                + "\"value\":\"b\",\"char_limit\":9,\"permission\":\"admin\",\"version\":2,\"edits\":1}",
            "{\"type\":\"edit\",\"label\":\"n\",\"number\":1,\"at\":\"2026-03-01T12:00:00Z\","
                + "\"by\":\"\\u001b[2m\",\"operation\":\"\\u001b[3m\",\"before\":\"\",\"after\":\"b\"}",
            entry
                + "\"label\":\"\\u001b[4m\",\"role\":\"\\u001b[5m\",\"text\":\"dog\","
                + "\"at\":\"2026-03-01T12:00:00Z\"}",
            "{\"type\":\"end\",\"lines\":4}");
    Files.write(file, lines);
    assertThat(Cli.run("memory", "import", file.toString(), to).exit()).isZero();

    for (String command : List.of("list", "history n", "search dog", "show n")) {
      List<String> words = new ArrayList<>(List.of("memory"));
      words.addAll(List.of(command.split(" ")));
      words.add(to);
      assertThat(Cli.run(words.toArray(String[]::new)).out()).as(command).doesNotContain("\u001b");
    }
  }
}
