package dev.switchboard.mcp.oauth;

import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.process.OwnerFile;
import dev.switchboard.text.IoReasons;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The logins in a JSON file that only its owner can read. It is replaced atomically, by one
/// process at a time.
public final class TokenFile implements TokenStore {
  private static final int VERSION = 1;
  private static final long MOST_BYTES = 8L * 1024 * 1024;
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final OwnerFile file;
  private final Time time;

  private record Form(Map<String, Json> servers) {}

  /// The logins in that file, which need not exist yet.
  public TokenFile(Path file, Time time) {
    this(new OwnerFile(file), time);
  }

  private TokenFile(OwnerFile file, Time time) {
    this.file = file;
    this.time = time;
  }

  /// The logins in that file, which need not exist yet, in a folder that holds nothing of others.
  public static TokenFile inOwnFolder(Path file, Time time) {
    return new TokenFile(new OwnerFile(file, true), time);
  }

  @Override
  public @Nullable Json read(String server) throws UnusableException {
    return read().servers().get(server);
  }

  @Override
  public void change(String server, Change change, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    try (FileChannel channel = opened()) {
      lock(channel, onCancel); // until the channel is closed
      Map<String, Json> servers = new TreeMap<>(read().servers());
      Json before = servers.get(server);
      Json changed = change.of(before);
      if (changed == null ? before == null : changed.equals(before)) {
        return;
      }
      if (changed == null) {
        servers.remove(server);
      } else {
        servers.put(server, changed);
      }
      replace(Records.write(VERSION, new Form(servers)).text());
    }
  }

  private Form read() throws UnusableException {
    try {
      if (file.isWritableByOthers() || !file.narrow()) {
        throw new UnusableException(
            "other users can change the file %s; make it yours alone with 'chmod 600 %s'"
                .formatted(file.path(), file.path()));
      }
      if (Files.size(file.path()) > MOST_BYTES) {
        throw new UnusableException("the file " + file.path() + " is too long");
      }
      return Records.read(Json.text(Files.readString(file.path())), VERSION, Form.class);
    } catch (NoSuchFileException e) {
      return new Form(Map.of());
    } catch (UnusableException e) {
      throw e;
    } catch (IOException e) {
      throw failed("read", e);
    } catch (Records.UnreadableException e) {
      throw new UnusableException("the file " + file.path() + ' ' + e.getMessage());
    }
  }

  private FileChannel opened() throws UnusableException {
    try {
      return file.openLock();
    } catch (IOException e) {
      throw failed("written", e);
    }
  }

  private void lock(FileChannel channel, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    AtomicBoolean cancelled = new AtomicBoolean();
    onCancel.accept(() -> cancelled.set(true));
    long end = time.nanos() + PATIENCE.toNanos();
    while (time.nanos() - end < 0) {
      if (cancelled.get()) {
        throw new InterruptedIOException("cancelled");
      }
      if (locks(channel)) {
        return;
      }
      time.pause(new Time.Signal(), PAUSE);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    throw new UnusableException("the file " + file.path() + " is locked by another process");
  }

  /// Whether the lock was acquired; false while another process, or another store in this one, has
  /// it.
  private boolean locks(FileChannel channel) throws UnusableException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    } catch (IOException e) {
      throw failed("locked", e);
    }
  }

  private void replace(String text) throws UnusableException {
    try {
      file.replace(text + "\n");
    } catch (IOException e) {
      throw failed("written", e);
    }
  }

  private UnusableException failed(String done, IOException e) {
    return new UnusableException(
        "the file %s cannot be %s: %s".formatted(file.path(), done, IoReasons.ofFile(e)));
  }
}
