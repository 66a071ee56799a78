package dev.switchboard.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads lines of UTF-8 with a length limit. An invalid line does not affect the next one.
final class LineReader {
  static final int MOST_BYTES = 64 * 1024 * 1024;

  private final InputStream in;
  private final int mostBytes;
  private int number;

  LineReader(InputStream in) {
    this(in, MOST_BYTES);
  }

  LineReader(InputStream in, int mostBytes) {
    this.in = new BufferedInputStream(in, 64 * 1024);
    this.mostBytes = mostBytes;
  }

  /// A line of the input, without its end.
  sealed interface Line {
    /// A valid line.
    ///
    /// @param number from 1
    record Text(int number, String text) implements Line {}

    /// An invalid line.
    ///
    /// @param number from 1
    /// @param why a clause
    record Unreadable(int number, String why) implements Line {}
  }

  /// The next line, null after the last.
  @Nullable Line next() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean tooLong = false;
    int read = in.read();
    if (read < 0) {
      return null;
    }
    number++;
    for (; read >= 0 && read != '\n'; read = in.read()) {
      tooLong |= bytes.size() == mostBytes;
      if (!tooLong) {
        bytes.write(read);
      }
    }
    return tooLong
        ? new Line.Unreadable(number, "the line is longer than " + mostBytes + " bytes")
        : decode(bytes.toByteArray());
  }

  /// The text of the next line, null after the last.
  ///
  /// @throws Failure that names an invalid line
  @Nullable String nextText() throws IOException {
    return switch (next()) {
      case null -> null;
      case Line.Text(int line, String text) -> text;
      case Line.Unreadable(int line, String why) ->
          throw Failure.work("Line " + line + " was not taken: " + why + ".", null);
    };
  }

  private Line decode(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new Line.Text(
          number, number == 1 && text.startsWith("\uFEFF") ? text.substring(1) : text);
    } catch (CharacterCodingException e) {
      return new Line.Unreadable(number, "the line is not UTF-8 text");
    }
  }
}
