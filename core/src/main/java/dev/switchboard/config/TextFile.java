package dev.switchboard.config;

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
final class TextFile {
  static final int MOST_BYTES = 16 * 1024 * 1024;

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private TextFile() {}

  static String read(Path file) throws UnreadableFile {
    byte[] bytes = bytes(file);
    if (bytes.length > MOST_BYTES) {
      throw new UnreadableFile("is larger than " + MOST_BYTES / 1024 / 1024 + " MiB");
    }
    String text = decode(bytes);
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  private static byte[] bytes(Path file) throws UnreadableFile {
    if (Files.isDirectory(file)) {
      throw new UnreadableFile("is a directory, not a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MOST_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw new UnreadableFile("does not exist");
    } catch (AccessDeniedException e) {
      throw new UnreadableFile("may not be read: permission denied");
    } catch (IOException e) {
      throw new UnreadableFile("cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static String decode(byte[] bytes) throws UnreadableFile {
    CharBuffer text = CharBuffer.allocate(bytes.length + 1);
    CoderResult end =
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), text, true);
    String read = text.flip().toString();
    if (end.isError()) {
      int line = (int) read.chars().filter(c -> c == '\n').count() + 1;
      int column = read.length() - read.lastIndexOf('\n');
      throw new UnreadableFile("is not UTF-8 text", line, column);
    }
    return read;
  }
}
