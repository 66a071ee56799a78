package dev.switchboard.server.access;

import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The file of tokens: replaced as a whole, by one process at a time, readable by its owner alone.
final class TokenFile {
  private static final int VERSION = 1;
  private static final Set<PosixFilePermission> OWNERS =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private final Path file;
  private final ReentrantLock changing = new ReentrantLock(); // a file lock excludes processes only

  /// What tells one content of the file from another without reading it.
  ///
  /// @param key of the file system; null where it has none
  /// @param permissions empty where the file system has none
  record Stamp(
      FileTime modified, long size, @Nullable Object key, Set<PosixFilePermission> permissions) {}

  private record Form(List<Tokens.Issued> tokens) {}

  TokenFile(Path file) {
    this.file = file;
  }

  static boolean same(@Nullable Stamp one, @Nullable Stamp other) {
    return Objects.equals(one, other);
  }

  /// The stamp of the file as it is now; null if there is none, or it cannot be seen.
  @Nullable Stamp stamp() {
    try {
      Class<? extends BasicFileAttributes> kind =
          isPosix() ? PosixFileAttributes.class : BasicFileAttributes.class;
      BasicFileAttributes facts = Files.readAttributes(file, kind);
      return new Stamp(
          facts.lastModifiedTime(),
          facts.size(),
          facts.fileKey(),
          facts instanceof PosixFileAttributes posix ? posix.permissions() : Set.of());
    } catch (IOException e) {
      return null;
    }
  }

  /// The tokens in it; none if there is no file.
  ///
  /// @throws TokensException when it cannot be read, or can be by others
  List<Tokens.Issued> read() {
    Stamp stamp = stamp();
    if (stamp != null && !OWNERS.containsAll(stamp.permissions())) {
      throw new TokensException(
          "The token file %s is open to other users; make it yours alone with 'chmod 600 %s'."
              .formatted(file, file),
          null);
    }
    try {
      Json text = Json.text(Files.readString(file));
      return Records.read(text, VERSION, Form.class).tokens();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw failed("read", e);
    } catch (Records.UnreadableException e) {
      throw new TokensException("The token file %s %s.".formatted(file, e.getMessage()), e);
    }
  }

  /// Puts what is made of the tokens in it in their place, all of it or nothing.
  ///
  /// @throws TokensException when it cannot be read or written
  void change(UnaryOperator<List<Tokens.Issued>> change) {
    Path folder = file.toAbsolutePath().resolveSibling("");
    changing.lock();
    try {
      Files.createDirectories(folder, only("rwx------"));
      Path beside = folder.resolve(file.getFileName() + ".lock");
      try (FileChannel channel = FileChannel.open(beside, lockOptions(), only("rw-------"))) {
        channel.lock(); // until the channel is closed
        replace(Records.write(VERSION, new Form(change.apply(read()))).text());
      }
    } catch (IOException | OverlappingFileLockException e) {
      throw failed("written", e);
    } finally {
      changing.unlock();
    }
  }

  private static Set<StandardOpenOption> lockOptions() {
    return Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private void replace(String text) throws IOException {
    Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path fresh =
        Files.createTempFile(
            real.resolveSibling(""), "." + real.getFileName(), ".new", only("rw-------"));
    try {
      Files.writeString(fresh, text + "\n");
      Files.move(fresh, real, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private TokensException failed(String done, Exception e) {
    return new TokensException(
        "The token file %s cannot be %s: %s.".formatted(file, done, e.getClass().getSimpleName()),
        e);
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
