package dev.switchboard.toml;

import dev.switchboard.text.IoReasons;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The text of a file in UTF-8.
public final class TextFile {
  /// The maximum bytes of a file.
  public static final int MOST_BYTES = 16 * 1024 * 1024;

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /// Why a file's text cannot be read; the message is the end of a sentence.
  public static final class Unreadable extends IOException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    private Unreadable(String message) {
      this(message, 0, 0);
    }

    private Unreadable(String message, int line, int column) {
      super(message);
      this.line = line;
      this.column = column;
    }

    /// The line at which its text becomes invalid, 0 if nothing could be read.
    public int line() {
      return line;
    }

    /// The column of that line, 0 if nothing could be read.
    public int column() {
      return column;
    }

    /// Why, as the end of a sentence.
    public String reason() {
      return String.valueOf(getMessage());
    }
  }

  private TextFile() {}

  /// The text, without a byte order mark.
  public static String read(Path file) throws Unreadable {
    byte[] bytes = bytes(file);
    if (bytes.length > MOST_BYTES) {
      throw new Unreadable("is larger than " + MOST_BYTES / 1024 / 1024 + " MiB");
    }
    String text = decode(bytes);
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  private static byte[] bytes(Path file) throws Unreadable {
    if (Files.isDirectory(file)) {
      throw new Unreadable("is a directory, not a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MOST_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw new Unreadable("does not exist");
    } catch (AccessDeniedException e) {
      throw new Unreadable("may not be read: permission denied");
    } catch (IOException e) {
      throw new Unreadable("cannot be read: " + IoReasons.ofFile(e));
    }
  }

  private static String decode(byte[] bytes) throws Unreadable {
    CharBuffer text = CharBuffer.allocate(bytes.length + 1);
    CoderResult end =
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), text, true);
    String read = text.flip().toString();
    if (end.isError()) {
      int line = (int) read.chars().filter(c -> c == '\n').count() + 1;
      int column = read.length() - read.lastIndexOf('\n');
      throw new Unreadable("is not UTF-8 text", line, column);
    }
    return read;
  }
}
