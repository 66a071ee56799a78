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

/// A file that only its owner can read, such as one with tokens. On file systems without POSIX
/// permissions it has the permissions of its folder.
public record OwnerFile(Path path) {
  private static final String FOLDER = "rwx------";
  private static final String FILE = "rw-------";

  /// The file at this path, which need not exist.
  public OwnerFile {
    path = path.toAbsolutePath();
  }

  /// The current permissions of the file; empty if the file system has none.
  ///
  /// @throws java.nio.file.NoSuchFileException when it does not exist
  public Set<PosixFilePermission> permissions() throws IOException {
    return isPosix() ? Files.getPosixFilePermissions(path) : Set.of();
  }

  /// Whether these permissions give access to other users.
  public static boolean areOpen(Set<PosixFilePermission> permissions) {
    return !PosixFilePermissions.fromString(FOLDER).containsAll(permissions);
  }

  /// Creates the file, or removes other users' permissions from an existing one.
  public void create() throws IOException {
    createFolder();
    if (!Files.exists(path)) {
      Files.createFile(path, only(FILE));
    } else if (isPosix()) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(FILE));
    }
  }

  /// Opens the lock file beside it, which a process locks to change this file. Creates it and the
  /// folder if they do not exist.
  public FileChannel openLock() throws IOException {
    createFolder();
    Path beside = path.resolveSibling(path.getFileName() + ".lock");
    return FileChannel.open(
        beside, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), only(FILE));
  }

  /// Replaces the file by that text, atomically; if the path is a link, it replaces the target.
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
