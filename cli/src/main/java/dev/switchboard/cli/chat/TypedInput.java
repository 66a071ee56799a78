package dev.switchboard.cli.chat;

import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/// Lines that a person types, with a history, and completion of the chat's commands by Tab. Ctrl-C
/// clears the line; Ctrl-C twice on an empty line, or Ctrl-D, ends the input.
public final class TypedInput implements UserInput, AutoCloseable {
  private static final int MOST_LINES = 1000;

  private final Terminal terminal;
  private final Typist typist;
  private volatile Size size = Size.of(80, 24);
  private boolean interrupted;

  /// Reads typed lines.
  @FunctionalInterface
  interface Typist {
    /// Reads a line with that prompt.
    ///
    /// @param kept whether the history keeps it
    String line(String prompt, boolean kept);
  }

  /// Lines typed at that terminal.
  ///
  /// @param history the file of the history; null to keep it only for this chat
  public TypedInput(Terminal terminal, @Nullable Path history) {
    this(terminal, typist(terminal, history));
  }

  TypedInput(Terminal terminal, Typist typist) {
    this.terminal = terminal;
    this.typist = typist;
  }

  private static Typist typist(Terminal terminal, @Nullable Path history) {
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .completer(TypedInput::complete)
            .variable(LineReader.HISTORY_SIZE, MOST_LINES)
            .variable(LineReader.HISTORY_FILE_SIZE, MOST_LINES)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
    if (history != null) {
      builder.variable(LineReader.HISTORY_FILE, history);
    }
    LineReader reader = builder.build();
    return (prompt, kept) -> {
      reader.setVariable(LineReader.DISABLE_HISTORY, !kept);
      return reader.readLine(prompt);
    };
  }

  /// The commands that complete the first word of the line.
  static void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    if (line.wordIndex() == 0 && line.word().startsWith("/")) {
      SlashCommand.ALL.forEach(command -> candidates.add(new Candidate(command)));
    }
  }

  /// Lines typed at the terminal of this process.
  ///
  /// @param history the file of the history; null to keep it only for this chat
  /// @throws IOException when it cannot be opened
  public static TypedInput ofProcess(@Nullable Path history) throws IOException {
    return new TypedInput(
        TerminalBuilder.builder()
            .system(true)
            .graphemeCluster(false)
            .encoding(StandardCharsets.UTF_8)
            .build(),
        history);
  }

  /// Sets the action of Ctrl-C while the agent works.
  public void onInterrupt(Runnable action) {
    terminal.handle(Terminal.Signal.INT, signal -> action.run());
  }

  /// A view on the same terminal.
  ///
  /// @param colour whether it may have color
  public View view(PrintStream out, boolean colour) {
    boolean still = terminal.getType().startsWith(Terminal.TYPE_DUMB);
    return still ? new PlainView(out, out) : new LiveView(out, screen(colour), Time.SYSTEM);
  }

  private LiveView.Screen screen(boolean colour) {
    return new LiveView.Screen() {
      @Override
      public int width() {
        return size().getColumns();
      }

      @Override
      public int height() {
        return size().getRows();
      }

      @Override
      public boolean colour() {
        return colour;
      }
    };
  }

  /// A signal that ends the process closes the terminal while the last lines are drawn.
  private Size size() {
    try {
      size = terminal.getSize();
    } catch (IllegalStateException e) {
      // The previous size applies.
    }
    return size;
  }

  @Override
  public @Nullable String next(String prompt) {
    return line(prompt, true);
  }

  @Override
  public @Nullable String answer(String prompt) {
    return line(prompt, false);
  }

  private @Nullable String line(String prompt, boolean kept) {
    while (true) {
      try {
        String line = typist.line(InvisibleCharacters.line(prompt), kept);
        interrupted = false;
        return line;
      } catch (UserInterruptException e) {
        boolean empty = e.getPartialLine().isEmpty();
        if (empty && interrupted) {
          return null;
        }
        interrupted = empty;
      } catch (EndOfFileException e) {
        String partial = e.getPartialLine();
        return partial == null || partial.isEmpty() ? null : partial;
      }
    }
  }

  /// Input during the agent's work is not echoed, and is read afterwards.
  @Override
  public void working(boolean works) {
    terminal.echo(!works);
  }

  @Override
  public void close() throws IOException {
    terminal.close();
  }
}
