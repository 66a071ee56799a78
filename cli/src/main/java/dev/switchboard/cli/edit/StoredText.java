package dev.switchboard.cli.edit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;

/// The text of a file, which can be replaced.
///
/// @param text without its byte order mark
record StoredText(Path file, boolean marked, String text) {
  private static final String MARK = "\uFEFF";

  static StoredText read(Path file) throws EditRefusedException, IOException {
    try {
      byte[] bytes = Files.readAllBytes(file);
      String all = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      boolean marked = all.startsWith(MARK);
      return new StoredText(file, marked, marked ? all.substring(1) : all);
    } catch (NoSuchFileException e) {
      throw new EditRefusedException(file + ": the file does not exist");
    } catch (CharacterCodingException e) {
      throw new EditRefusedException(file + ": the file is not UTF-8 text");
    }
  }

  /// Replaces the file by that text, atomically; its permissions stay.
  void replace(String other) throws IOException {
    Path real = file.toRealPath();
    if (!Files.isWritable(real)) {
      throw new AccessDeniedException(file.toString());
    }
    Path folder = real.getParent();
    Path fresh = Files.createTempFile(folder, "." + real.getFileName(), ".new");
    try {
      Files.writeString(fresh, (marked ? MARK : "") + other);
      PosixFileAttributeView view = Files.getFileAttributeView(real, PosixFileAttributeView.class);
      if (view != null) {
        Files.setPosixFilePermissions(fresh, view.readAttributes().permissions());
      }
      Files.move(fresh, real, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
