package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypedInputTest {
  private Terminal terminal;

  @BeforeEach
  void open() throws IOException {
    terminal = new DumbTerminal(InputStream.nullInputStream(), OutputStream.nullOutputStream());
  }

  @AfterEach
  void close() throws IOException {
    terminal.close();
  }

  @Test
  void ctrlCClearsTheLine() {
    assertThat(typed(List.of(interrupt("half"), () -> "whole")).next("> ")).isEqualTo("whole");
    assertThat(typed(List.of(interrupt(""), interrupt("half"), () -> "whole")).next("> "))
        .isEqualTo("whole");
  }

  @Test
  void ctrlCTwiceOnAnEmptyLineIsTheEnd() {
    assertThat(typed(List.of(interrupt(""), interrupt(""), () -> "never")).next("> ")).isNull();
  }

  @Test
  void aLineBetweenTwoCtrlCsIsNotTheEnd() {
    TypedInput input = typed(List.of(interrupt(""), () -> "one", interrupt(""), () -> "two"));

    assertThat(List.of(input.next("> "), input.next("> "))).containsExactly("one", "two");
  }

  @Test
  void ctrlDIsTheEnd() {
    Supplier<String> end =
        () -> {
          throw new EndOfFileException();
        };

    assertThat(typed(List.of(end)).next("> ")).isNull();
  }

  @Test
  void theLastLinesAreDrawnAlsoWhereTheTerminalIsClosed() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Terminal ansi =
        TerminalBuilder.builder()
            .system(false)
            .type("ansi")
            .streams(InputStream.nullInputStream(), OutputStream.nullOutputStream())
            .build();
    View view =
        new TypedInput(ansi, (Path) null)
            .view(new PrintStream(out, true, StandardCharsets.UTF_8), true);

    ansi.close();
    view.show(new Event.ToolCalled(ToolCall.of("c1", "look", "{}"), false, ToolMode.EXTERNAL));

    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("  look {} ...\n");
  }

  @Test
  void linesAreKeptForTheNextChatButNoAnswers(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("history");
    InputStream keys =
        new ByteArrayInputStream("Book a table\ny\n/quit\n".getBytes(StandardCharsets.UTF_8));
    Terminal dumb = new DumbTerminal(keys, OutputStream.nullOutputStream());

    try (TypedInput input = new TypedInput(dumb, file)) {
      assertThat(input.next("> ")).isEqualTo("Book a table");
      assertThat(input.answer("y/n/always> ")).isEqualTo("y");
      assertThat(input.next("> ")).isEqualTo("/quit");
    }

    assertThat(Files.readAllLines(file))
        .extracting(line -> line.replaceFirst("^[0-9]+:", ""))
        .containsExactly("Book a table", "/quit");
  }

  @Test
  void tabCompletesCommandsInTheFirstWord() {
    assertThat(completed("/hel")).contains("/help", "/history");
    assertThat(completed("hel")).isEmpty();
    assertThat(completed("/approve /hel")).isEmpty();
  }

  private List<String> completed(String line) {
    List<Candidate> candidates = new ArrayList<>();
    TypedInput.complete(
        LineReaderBuilder.builder().terminal(terminal).build(),
        new DefaultParser().parse(line, line.length()),
        candidates);
    return candidates.stream().map(Candidate::value).toList();
  }

  private static Supplier<String> interrupt(String line) {
    return () -> {
      throw new UserInterruptException(line);
    };
  }

  private TypedInput typed(List<Supplier<String>> lines) {
    Queue<Supplier<String>> queue = new ArrayDeque<>(lines);
    return new TypedInput(terminal, (prompt, kept) -> queue.remove().get());
  }
}
