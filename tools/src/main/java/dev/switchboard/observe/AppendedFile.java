package dev.switchboard.observe;

import dev.switchboard.process.OwnerFile;
import java.io.IOException;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file that only its owner can read, and that each text is appended to. It is open only during a
/// write, so it needs no close, and several processes may write to it.
record AppendedFile(Path file) implements Appendable {
  private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());

  /// @throws IOException with a clause, when it cannot be written
  static void check(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException("there is no folder '" + folder + "'");
    }
    if (Files.isDirectory(file)) {
      throw new IOException("'" + file + "' is a folder");
    }
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw new IOException("'" + file + "' is not ours to write");
    }
  }

  @Override
  public Appendable append(CharSequence text) throws IOException {
    try (Writer out = new OwnerFile(file).append()) {
      out.write(text.toString());
      return this;
    } catch (IOException e) {
      LOG.log(Level.WARNING, "a line is missing from " + file + ": " + e.getMessage());
      throw e;
    }
  }

  @Override
  public Appendable append(CharSequence text, int from, int to) throws IOException {
    return append(text.subSequence(from, to));
  }

  @Override
  public Appendable append(char letter) throws IOException {
    return append(String.valueOf(letter));
  }
}
