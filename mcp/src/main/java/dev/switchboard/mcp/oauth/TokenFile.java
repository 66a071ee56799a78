package dev.switchboard.mcp.oauth;

import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The logins in a JSON file that its owner alone can read, replaced as a whole by one process at a
/// time.
public final class TokenFile implements TokenStore {
  private static final int VERSION = 1;
  private static final long MOST_BYTES = 8L * 1024 * 1024;
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  private final Path file;
  private final Time time;

  private record Form(Map<String, Json> servers) {}

  /// What is kept in that file, which need not be there yet.
  public TokenFile(Path file, Time time) {
    this.file = file.toAbsolutePath();
    this.time = time;
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
      Json made = change.of(before);
      if (made == null ? before == null : made.equals(before)) {
        return;
      }
      if (made == null) {
        servers.remove(server);
      } else {
        servers.put(server, made);
      }
      replace(Records.write(VERSION, new Form(servers)).text());
    }
  }

  private Form read() throws UnusableException {
    try {
      if (isPosix() && !OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
        throw new UnusableException(
            "the file %s is open to other users; make it yours alone with 'chmod 600 %s'"
                .formatted(file, file));
      }
      if (Files.size(file) > MOST_BYTES) {
        throw new UnusableException("the file " + file + " is too long");
      }
      return Records.read(Json.text(Files.readString(file)), VERSION, Form.class);
    } catch (NoSuchFileException e) {
      return new Form(Map.of());
    } catch (UnusableException e) {
      throw e;
    } catch (IOException e) {
      throw failed("read", e);
    } catch (Records.UnreadableException e) {
      throw new UnusableException("the file " + file + ' ' + e.getMessage());
    }
  }

  private FileChannel opened() throws UnusableException {
    try {
      Files.createDirectories(file.resolveSibling(""), only("rwx------"));
      Path beside = file.resolveSibling(file.getFileName() + ".lock");
      return FileChannel.open(
          beside, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), only("rw-------"));
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
    throw new UnusableException("the file " + file + " is held by another process");
  }

  /// Whether it is locked; not while another process, or another store in this one, has the lock.
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
      Path real = Files.exists(file) ? file.toRealPath() : file;
      Path fresh =
          Files.createTempFile(
              real.resolveSibling(""), "." + real.getFileName(), ".new", only("rw-------"));
      try {
        Files.writeString(fresh, text + "\n");
        Files.move(fresh, real, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (IOException e) {
      throw failed("written", e);
    }
  }

  private UnusableException failed(String done, IOException e) {
    return new UnusableException(
        "the file %s cannot be %s (%s)".formatted(file, done, e.getClass().getSimpleName()));
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
