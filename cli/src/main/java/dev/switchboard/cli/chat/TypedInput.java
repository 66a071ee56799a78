package dev.switchboard.cli.chat;

import dev.switchboard.json.Unseen;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/// Lines that a person types, with a history in memory. Ctrl-C clears the line; on an empty line
/// twice, and Ctrl-D, it is the end.
public final class TypedInput implements Input, AutoCloseable {
  private final Terminal terminal;
  private final UnaryOperator<String> lines; // from a prompt to the line typed behind it
  private volatile Size size = Size.of(80, 24);
  private boolean interrupted;

  /// Lines typed at that terminal.
  public TypedInput(Terminal terminal) {
    this(
        terminal,
        LineReaderBuilder.builder()
                .terminal(terminal)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .build()
            ::readLine);
  }

  TypedInput(Terminal terminal, UnaryOperator<String> lines) {
    this.terminal = terminal;
    this.lines = lines;
  }

  /// Lines typed at the terminal of this process.
  ///
  /// @throws IOException when it cannot be opened
  public static TypedInput ofProcess() throws IOException {
    return new TypedInput(
        TerminalBuilder.builder()
            .system(true)
            .graphemeCluster(false)
            .encoding(StandardCharsets.UTF_8)
            .build());
  }

  /// What Ctrl-C does while the agent works.
  public void onInterrupt(Runnable action) {
    terminal.handle(Terminal.Signal.INT, signal -> action.run());
  }

  /// A view on the same terminal.
  ///
  /// @param colour whether it may carry colour
  public View view(PrintStream out, boolean colour) {
    boolean still = terminal.getType().startsWith(Terminal.TYPE_DUMB);
    return still ? new PlainView(out, out) : new LiveView(out, screen(colour));
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
      // The one before holds.
    }
    return size;
  }

  @Override
  public @Nullable String next(String prompt) {
    while (true) {
      try {
        String line = lines.apply(Unseen.line(prompt));
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

  /// What is typed while the agent works does not disturb its lines, and is read afterwards.
  @Override
  public void working(boolean works) {
    terminal.echo(!works);
  }

  @Override
  public void close() throws IOException {
    terminal.close();
  }
}
