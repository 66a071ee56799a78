package dev.switchboard.cli;

import dev.switchboard.execution.StoreException;
import dev.switchboard.memory.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A text in a temporary file while a person edits it. If the text is refused, the file is kept, so
/// that no input is lost.
final class Draft {
  private final Path file;
  private final byte[] before;

  private Draft(Path file, byte[] before) {
    this.file = file;
    this.before = before;
  }

  /// The text in a file that only its owner can read, with a line end.
  ///
  /// @param name part of the file's name
  static Draft of(String name, String text) throws IOException {
    Draft draft =
        new Draft(
            Files.createTempFile("switchboard-" + name + "-", ".txt"),
            (text + "\n").getBytes(StandardCharsets.UTF_8));
    Files.write(draft.file, draft.before);
    return draft;
  }

  /// Passes the edited text on and returns the result; null, without effect, if it has not changed.
  ///
  /// @throws Failure when it is refused; the message names the file if the text has changed
  <T> @Nullable T edited(Editor editor, Function<String, @Nullable T> taken) throws IOException {
    try {
      editor.open(file);
      T result = isAsBefore() ? null : taken.apply(text(Files.readAllBytes(file)));
      Files.deleteIfExists(file);
      return result;
    } catch (Failure | MemoryException | StoreException e) {
      throw Failure.work(e.getMessage() + whereabouts(), e);
    } catch (CharacterCodingException e) {
      throw Failure.work("Nothing was changed: it is not UTF-8 text." + whereabouts(), e);
    }
  }

  private boolean isAsBefore() throws IOException {
    return !Files.exists(file) || Arrays.equals(before, Files.readAllBytes(file));
  }

  private String whereabouts() throws IOException {
    if (isAsBefore()) {
      Files.deleteIfExists(file);
      return "";
    }
    return " Your text is in " + file + ".";
  }

  /// The text of these bytes, without the last line end.
  static String text(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(bytes))
        .toString()
        .replaceFirst("\r?\n\\z", "");
  }
}
