package dev.switchboard.server.access;

import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.mount.Role;
import dev.switchboard.process.OwnerFile;
import dev.switchboard.text.IoReasons;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The file of tokens: replaced atomically, by one process at a time, readable by its owner only.
final class AccessTokenFile {
  private static final int VERSION = 1;

  private final OwnerFile file;
  private final ReentrantLock changing = new ReentrantLock(); // a file lock excludes processes only

  /// Identifies the content of the file without reading it.
  ///
  /// @param key of the file system; null if it has none
  /// @param permissions empty if the file system has none
  record Stamp(
      FileTime modified, long size, @Nullable Object key, Set<PosixFilePermission> permissions) {}

  private record Form(List<Stored> tokens) {}

  /// A token as the file has it.
  ///
  /// @param role of files written before a token could have several roles
  private record Stored(
      String name,
      @Nullable Role role,
      Set<Role> roles,
      boolean forUsers,
      Instant created,
      @Nullable Instant until,
      String sha256) {
    static Stored of(Tokens.Issued token) {
      return new Stored(
          token.name(),
          null,
          token.roles(),
          token.forUsers(),
          token.created(),
          token.until(),
          token.sha256());
    }

    Tokens.Issued issued() {
      Set<Role> all = role == null ? roles : Set.of(role);
      return new Tokens.Issued(name, all, forUsers, created, until, sha256);
    }
  }

  AccessTokenFile(Path file) {
    this.file = new OwnerFile(file);
  }

  static boolean same(@Nullable Stamp one, @Nullable Stamp other) {
    return Objects.equals(one, other);
  }

  /// The current stamp of the file; null if it does not exist or cannot be accessed.
  @Nullable Stamp stamp() {
    try {
      BasicFileAttributes facts = Files.readAttributes(file.path(), BasicFileAttributes.class);
      return new Stamp(facts.lastModifiedTime(), facts.size(), facts.fileKey(), file.permissions());
    } catch (IOException e) {
      return null;
    }
  }

  /// The tokens in it; none if it does not exist.
  ///
  /// @throws TokensException when it cannot be read, or other users can write it
  List<Tokens.Issued> read() {
    try {
      if (file.isWritableByOthers() || !file.narrow()) {
        throw new TokensException(
            "Other users can change the token file %s; make it yours alone with 'chmod 600 %s'."
                .formatted(file.path(), file.path()),
            null);
      }
      Json text = Json.text(Files.readString(file.path()));
      return Records.read(text, VERSION, Form.class).tokens().stream().map(Stored::issued).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw failed("read", e);
    } catch (Records.UnreadableException e) {
      throw new TokensException("The token file %s %s.".formatted(file.path(), e.getMessage()), e);
    }
  }

  /// Replaces its tokens by the result of that function, atomically.
  ///
  /// @throws TokensException when it cannot be read or written
  void change(UnaryOperator<List<Tokens.Issued>> change) {
    changing.lock();
    try (FileChannel channel = file.openLock()) {
      channel.lock(); // until the channel is closed
      List<Stored> next = change.apply(read()).stream().map(Stored::of).toList();
      file.replace(Records.write(VERSION, new Form(next)).text() + "\n");
    } catch (IOException | OverlappingFileLockException e) {
      throw failed("written", e);
    } finally {
      changing.unlock();
    }
  }

  private TokensException failed(String done, Exception e) {
    return new TokensException(
        "The token file %s cannot be %s: %s.".formatted(file.path(), done, IoReasons.ofFile(e)), e);
  }
}
