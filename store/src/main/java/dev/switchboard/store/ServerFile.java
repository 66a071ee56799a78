package dev.switchboard.store;

import dev.switchboard.execution.StoreException;
import dev.switchboard.process.OwnerFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The file beside a SQLite file that its one server has locked, and that names this server. The
/// operating system releases the lock when the process ends, in any way.
final class ServerFile {
  private static final String SUFFIX = ".server";
  private static final int LONGEST = 500;
  // Behind the text, which others read.
  private static final long LOCKED = Long.MAX_VALUE - 1;

  private final FileChannel channel;

  private ServerFile(FileChannel channel) {
    this.channel = channel;
  }

  /// @param known names the living process that the database says has it, null for none: a user who
  ///   deletes the file deletes its lock with it
  /// @throws StoreException when another process has it, or the file cannot be written
  static ServerFile take(Path database, String holder, Supplier<@Nullable String> known) {
    Path real = real(database);
    Path file = real.resolveSibling(real.getFileName() + SUFFIX);
    FileChannel channel = null;
    try {
      String living = Files.exists(file) ? null : known.get();
      if (living != null) {
        throw taken(database.toString(), living, null);
      }
      new OwnerFile(file).create();
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (lock(channel) != null) {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
        return new ServerFile(channel);
      }
      String other = text(channel);
      channel.close();
      throw taken(database.toString(), other, null);
    } catch (IOException e) {
      closeAfter(e, channel);
      throw SqlFailure.exception(
          "The store " + database + " cannot be reserved: " + file + " cannot be written.", e);
    }
  }

  /// The file itself, by whichever link it was named.
  private static Path real(Path database) {
    try {
      return database.toRealPath();
    } catch (IOException e) {
      return database.toAbsolutePath();
    }
  }

  static StoreException taken(String store, String holder, @Nullable Throwable cause) {
    return SqlFailure.exception(
        "The store %s has a server already: %s. One server at a time serves a storage."
            .formatted(store, holder.isBlank() ? "another process" : holder),
        cause);
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(LOCKED, 1, false);
    } catch (OverlappingFileLockException e) {
      // This very process has it.
      return null;
    }
  }

  private static String text(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LONGEST);
    int read = channel.read(bytes, 0);
    return new String(bytes.array(), 0, Math.max(0, read), StandardCharsets.UTF_8);
  }

  private static void closeAfter(IOException fault, @Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      fault.addSuppressed(e);
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw SqlFailure.exception("The file of the server cannot be closed.", e);
    }
  }
}
