package dev.switchboard.process;

import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/// A file that only its owner can read, since it holds words, keys or memory. On file systems
/// without POSIX permissions it has the permissions of its folder.
///
/// An existing file keeps only its owner's permissions once it is opened here, which is logged.
/// Devices and pipes keep theirs. A folder that holds nothing else is narrowed with it.
///
/// @param ownFolder whether its folder is such a one, as `.switchboard` is
public record OwnerFile(Path path, boolean ownFolder) {
  /// The folder of such files beside an agent.
  private static final Path BESIDE = Path.of(".switchboard");

  private static final System.Logger LOG = System.getLogger("dev.switchboard.process");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OTHERS_WRITE =
      Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  /// The file at this path, which need not exist.
  public OwnerFile {
    path = path.toAbsolutePath();
  }

  /// The file at this path, which need not exist.
  public OwnerFile(Path path) {
    this(path, isBesideAgent(path));
  }

  private static boolean isBesideAgent(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    return folder != null && folder.endsWith(BESIDE);
  }

  /// The writing of a file's text.
  public interface Text {
    /// Writes all of it.
    void write(Writer out) throws IOException;
  }

  /// Creates a folder for such files, with the folders above it, or removes other users'
  /// permissions from an existing one.
  public static void folder(Path folder) throws IOException {
    Files.createDirectories(folder, only(FOLDER));
    boolean unused = new OwnerFile(folder, false).narrow();
  }

  /// The current permissions of the file; empty if the file system has none.
  ///
  /// @throws java.nio.file.NoSuchFileException when it does not exist
  public Set<PosixFilePermission> permissions() throws IOException {
    return isPosix() ? Files.getPosixFilePermissions(path) : Set.of();
  }

  /// Whether other users can read or write the file.
  public boolean isOpen() throws IOException {
    return hasModes() && !FOLDER.containsAll(permissions());
  }

  /// Whether other users can read or write the file, and access its folder.
  public boolean isExposed() throws IOException {
    Path folder = path.getParent();
    return isOpen() && (folder == null || new OwnerFile(folder).isOpen());
  }

  /// Whether other users can change the file, so that its content is not to be trusted.
  public boolean isWritableByOthers() throws IOException {
    return isOpen() && permissions().stream().anyMatch(OTHERS_WRITE::contains);
  }

  /// Removes other users' permissions, if the file exists and has any, and logs it.
  ///
  /// @return false if that fails, since the file is another user's
  public boolean narrow() throws IOException {
    narrowFolder();
    if (!hasModes() || !isOpen()) {
      return true;
    }
    Set<PosixFilePermission> own = new HashSet<>(permissions());
    own.retainAll(FOLDER);
    try {
      Files.setPosixFilePermissions(path, own);
    } catch (IOException e) {
      LOG.log(Level.WARNING, path + " can be read by other users, and belongs to one of them");
      return false;
    }
    LOG.log(Level.WARNING, path + " could be read by other users; now only its owner can");
    return true;
  }

  private void narrowFolder() throws IOException {
    Path folder = path.getParent();
    if (ownFolder && folder != null) {
      boolean unused = new OwnerFile(folder, false).narrow();
    }
  }

  /// Creates the file in its existing folder, or removes other users' permissions from an existing
  /// one. A folder keeps them, and is refused.
  public void create() throws IOException {
    narrowFolder();
    try {
      Files.createFile(path, only(FILE));
    } catch (FileAlreadyExistsException e) {
      if (Files.isDirectory(path)) {
        throw new FileSystemException(path.toString(), null, "is a folder");
      } else if (Files.exists(path)) {
        boolean unused = narrow();
      } else if (Files.isSymbolicLink(path)) {
        // Opening the link would create its target with access for everyone.
        Files.createFile(path.resolveSibling(Files.readSymbolicLink(path)), only(FILE));
      }
    }
  }

  /// Creates the file as [#create], with the folders above it.
  public void createWithFolder() throws IOException {
    createFolder();
    create();
  }

  /// Opens the file in its existing folder to append UTF-8 text to it, and creates it if needed.
  public Writer append() throws IOException {
    return open(true);
  }

  /// Opens the file in its existing folder to write UTF-8 text instead of its content, and creates
  /// it if needed.
  public Writer overwrite() throws IOException {
    return open(false);
  }

  private Writer open(boolean append) throws IOException {
    create();
    // Not a channel, which an interrupt of the thread would close.
    return new BufferedWriter(
        new OutputStreamWriter(
            new FileOutputStream(path.toFile(), append), StandardCharsets.UTF_8));
  }

  /// Opens the lock file beside it, which a process locks to change this file. Creates it and the
  /// folder if they do not exist.
  public FileChannel openLock() throws IOException {
    createFolder();
    OwnerFile beside = new OwnerFile(path.resolveSibling(path.getFileName() + ".lock"), ownFolder);
    beside.create();
    return FileChannel.open(beside.path, StandardOpenOption.WRITE);
  }

  /// Replaces the file by that text, atomically; if the path is a link, it replaces the target.
  public void replace(String text) throws IOException {
    replace(out -> out.write(text));
  }

  /// Replaces the file by a text that is written meanwhile, atomically; if the path is a link, it
  /// replaces the target. A device gets the text.
  ///
  /// @throws IOException when that fails; then the file is as before, and nothing is left beside it
  public void replace(Text text) throws IOException {
    Path real = Files.exists(path) ? path.toRealPath() : path;
    if (Files.exists(real) && !Files.isRegularFile(real)) {
      try (Writer out = new OwnerFile(real).open(true)) {
        text.write(out);
      }
      return;
    }
    Path fresh =
        Files.createTempFile(real.resolveSibling(""), "." + real.getFileName(), ".new", only(FILE));
    try {
      try (Writer out = new OwnerFile(fresh).overwrite()) {
        text.write(out);
      }
      Files.move(fresh, real, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private void createFolder() throws IOException {
    Files.createDirectories(path.resolveSibling(""), only(FOLDER));
  }

  private static FileAttribute<?>[] only(Set<PosixFilePermission> permissions) {
    return isPosix()
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  /// Whether it is a file or folder whose permissions can be set.
  private boolean hasModes() throws IOException {
    return isPosix()
        && (Files.isRegularFile(path) || Files.isDirectory(path))
        && Files.getFileStore(path).supportsFileAttributeView(PosixFileAttributeView.class);
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
