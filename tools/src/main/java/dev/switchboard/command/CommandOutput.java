package dev.switchboard.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/// The output of a program on one of its streams, read on a separate thread.
///
/// Thread-safe.
final class CommandOutput {
  private final long limit;
  private final Runnable onTooMuch;
  private final Thread reader;
  private final ByteArrayOutputStream read = new ByteArrayOutputStream(); // guarded by this
  private boolean tooMuch; // guarded by this

  /// @param limit the maximum bytes that are kept
  /// @param onTooMuch runs when there are more
  CommandOutput(InputStream stream, long limit, Runnable onTooMuch) {
    this.limit = limit;
    this.onTooMuch = onTooMuch;
    // Reading a pipe blocks the carrier of a virtual thread, and there are few carriers.
    reader = Thread.ofPlatform().daemon().name("command output").start(() -> readAll(stream));
  }

  private void readAll(InputStream stream) {
    byte[] bytes = new byte[8 * 1024];
    try (stream) {
      for (int count = stream.read(bytes); count >= 0; count = stream.read(bytes)) {
        add(bytes, count);
      }
    } catch (IOException e) {
      // The program was ended; its output up to then remains.
    }
  }

  private void add(byte[] bytes, int count) {
    boolean more;
    synchronized (this) {
      int room = (int) Math.min(count, limit - read.size());
      read.write(bytes, 0, room);
      more = room < count && !tooMuch;
      tooMuch |= more;
    }
    if (more) {
      onTooMuch.run();
    }
  }

  /// Waits until everything was read, or that time has passed: a child process may still hold the
  /// stream.
  void await(Duration patience) throws InterruptedException {
    boolean unusedAll = reader.join(patience);
  }

  synchronized boolean tooMuch() {
    return tooMuch;
  }

  /// The text, as UTF-8.
  synchronized String text() {
    return read.toString(StandardCharsets.UTF_8);
  }

  /// The last bytes of the text, as UTF-8.
  synchronized String end(int most) {
    byte[] all = read.toByteArray();
    int from = Math.max(0, all.length - most);
    return new String(Arrays.copyOfRange(all, from, all.length), StandardCharsets.UTF_8);
  }
}
