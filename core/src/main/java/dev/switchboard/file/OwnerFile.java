package dev.switchboard.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// A file that only its owner can read, such as one of tokens. On file systems without POSIX
/// permissions it has those of its folder.
public record OwnerFile(Path path) {
  private static final String FOLDER = "rwx------";
  private static final String FILE = "rw-------";

  /// The file at this path, which need not be there yet.
  public OwnerFile {
    path = path.toAbsolutePath();
  }

  /// The permissions of the file as it is now; empty if the file system has none.
  ///
  /// @throws java.nio.file.NoSuchFileException when it is not there
  public Set<PosixFilePermission> permissions() throws IOException {
    return isPosix() ? Files.getPosixFilePermissions(path) : Set.of();
  }

  /// Whether these permissions let other users in.
  public static boolean areOpen(Set<PosixFilePermission> permissions) {
    return !PosixFilePermissions.fromString(FOLDER).containsAll(permissions);
  }

  /// Makes the file where there is none, and takes other users' permissions away from one that is
  /// there.
  public void create() throws IOException {
    createFolder();
    if (!Files.exists(path)) {
      Files.createFile(path, only(FILE));
    } else if (isPosix()) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(FILE));
    }
  }

  /// Opens the file beside it whose lock a process takes to change this one; makes it, and the
  /// folder, where there is none.
  public FileChannel openLock() throws IOException {
    createFolder();
    Path beside = path.resolveSibling(path.getFileName() + ".lock");
    return FileChannel.open(
        beside, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), only(FILE));
  }

  /// Puts that text in the file's place, all of it or nothing; where the path is a link, in the
  /// place of the file that it leads to.
  public void replace(String text) throws IOException {
    Path real = Files.exists(path) ? path.toRealPath() : path;
    Path fresh =
        Files.createTempFile(real.resolveSibling(""), "." + real.getFileName(), ".new", only(FILE));
    try {
      Files.writeString(fresh, text);
      Files.move(fresh, real, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private void createFolder() throws IOException {
    Files.createDirectories(path.resolveSibling(""), only(FOLDER));
  }

  private static FileAttribute<?>[] only(String permissions) {
    return isPosix()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
