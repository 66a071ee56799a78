package dev.switchboard.memory;

import static dev.switchboard.contract.MemoryContract.refuses;
import static dev.switchboard.contract.MemoryPlace.block;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.contract.MemoryMovingContract;
import dev.switchboard.contract.MemoryPlace;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.testing.ManualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryFileTest {
  @TempDir private Path folder;
  private final MemoryStore store = new InProcessMemory();
  private List<String> lines;

  @BeforeEach
  void write() {
    InProcessMemory from = new InProcessMemory();
    Memory memory = Memory.of(from, "a", new ManualTime(MemoryPlace.NOON));
    Block unused = memory.create(block("n", "half \uD83C a character"));
    unused = memory.append("n", "\nx");
    assertThat(from.insert(MemoryPlace.message("1", "user", "dog"))).isTrue();
    lines = new ArrayList<>(MemoryMovingContract.lines(from, "a"));
  }

  private void refused(String sentence, String... changed) throws IOException {
    Path file = Files.write(folder.resolve("m.jsonl"), List.of(changed));
    refuses(Kind.INVALID, sentence, () -> MemoryFile.read(file, store, "a", false));
    assertThat(store.agents()).isEmpty();
  }

  @Test
  void linesAreWhatThePageSays() {
    assertThat(lines)
        .containsExactly(
            "{\"type\":\"memory\",\"version\":1,\"agent\":\"a\"}",
            "{\"type\":\"block\",\"label\":\"n\",\"kind\":\"working\",\"description\":\"\","
                + "\"value\":\"half \uFFFD a character\\nx\",\"char_limit\":5000,"
                + "\"permission\":\"read_write\",\"pinned\":false,\"version\":2,\"edits\":1}",
            "{\"type\":\"edit\",\"label\":\"n\",\"number\":1,\"at\":\"2026-03-01T12:00:00.123456Z\",\"by\":\"a\",\"operation\":\"append\",\"before\":\"half"
                + " \uFFFD a character\",\"after\":\"half \uFFFD a character\\nx\"}",
            "{\"type\":\"entry\",\"domain\":\"conversations\",\"id\":\"1\",\"label\":\"c1\","
                + "\"role\":\"user\",\"text\":\"dog\",\"at\":\"2026-03-01T12:00:00.123456Z\"}",
            "{\"type\":\"end\",\"lines\":4}");
  }

  @Test
  void aFileThatBrokeOffIsNotTaken() throws IOException {
    refused("breaks off after 3 lines", lines.subList(0, 3).toArray(String[]::new));
    refused("breaks off after 0 lines");
  }

  @Test
  void aFaultyLineIsNamed() throws IOException {
    String head = lines.getFirst();
    refused(
        "Line 1 is not a line of an agent's memory: it is not JSON: the syntax is broken (line 1,"
            + " column 1).",
        "x");
    refused("Line 1 is not a line of an agent's memory: it has no type.", "{}");
    refused("Line 1 is not a line of an agent's memory: the first line is", lines.get(1));
    refused("it is of another version than 1", head.replace("1", "2"));
    refused(
        "Line 2 is not a line of an agent's memory: block 'n' does not stand", head, lines.get(2));
    refused("block 'n' is there twice", head, lines.get(1), lines.get(1));
    String second = lines.get(2).replace("\"number\":1", "\"number\":3");
    refused("edits are numbered one by one", head, lines.get(1), lines.get(2), second);
    refused("'at' must be a time", head, lines.get(3).replace("2026", "x"));
    refused("'char_limit' is missing", head, lines.get(1).replace("char_limit", "x"));
    refused("must be one of core", head, lines.get(1).replace("working", "x"));
    refused("'x' is not a type that is known here", head, "{\"type\":\"x\"}");
    refused("1 lines stand before it", head, lines.getLast());
    refused("it stands after the end", head, lines.getLast().replace("4", "1"), lines.get(1));
  }

  @Test
  void whatIsNotTextIsNamed() throws IOException {
    Path file = folder.resolve("m.jsonl");
    Files.write(file, (lines.getFirst() + "\né").getBytes(StandardCharsets.ISO_8859_1));
    refuses(Kind.INVALID, "not UTF-8 text", () -> MemoryFile.read(file, store, "a", false));
  }

  @Test
  void tagsAreTexts() throws IOException {
    for (String tags : List.of("[{}]", "[[1]]", "[7]", "\"x\"", "{}")) {
      String entry = lines.get(3).replace("\"at\":", "\"tags\":" + tags + ",\"at\":");
      refused(
          "Line 4 is not a line of an agent's memory: 'tags",
          lines.get(0),
          lines.get(1),
          lines.get(2),
          entry,
          lines.get(4));
    }
  }
}
