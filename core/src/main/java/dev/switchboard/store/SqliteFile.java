package dev.switchboard.store;

import dev.switchboard.process.OwnerFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The file of a SQLite database, before it is opened.
final class SqliteFile {
  private static final byte[] HEADER = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  private SqliteFile() {}

  /// Creates the file for its owner alone, or removes other users' permissions from it.
  ///
  /// @throws StoreException when another file or a folder has the path, which are left as they are:
  ///   SQLite deletes what stands beside a file that it takes for its own
  static void prepare(Path file) {
    String fault = fault(file);
    if (fault != null) {
      throw new StoreException("The store " + file + " cannot be opened: " + fault + ".", null);
    }
    try {
      new OwnerFile(file).create();
      // SQLite makes the files beside it with the permissions of the file.
      for (String beside : List.of("-wal", "-shm", "-journal")) {
        boolean unused = new OwnerFile(file.resolveSibling(file.getFileName() + beside)).narrow();
      }
    } catch (IOException e) {
      // SQLite cannot open it either, and says why.
    }
  }

  private static @Nullable String fault(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      return "its folder " + folder + " is missing";
    }
    if (Files.isDirectory(file)) {
      return "it is a folder";
    }
    return isForeign(file) ? "it is not a database of SQLite" : null;
  }

  private static boolean isForeign(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] beginning = in.readNBytes(HEADER.length);
      return beginning.length > 0 && !Arrays.equals(beginning, HEADER);
    } catch (IOException e) {
      return false; // SQLite cannot read it either, and says why.
    }
  }
}
