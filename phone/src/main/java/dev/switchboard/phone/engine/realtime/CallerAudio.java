package dev.switchboard.phone.engine.realtime;

import java.util.Base64;
import java.util.concurrent.TimeUnit;
import okhttp3.WebSocket;

/// Audio of the caller that waits to be sent to the engine: at most a second, otherwise the oldest
/// is dropped.
///
/// Each frame is sent at once. While the connection has much unsent data, frames wait and are sent
/// together. Thread-safe.
final class CallerAudio {
  private static final int BYTES_PER_MS = 8;
  private static final int SECOND = 1000 * BYTES_PER_MS;
  private static final int LONGEST_BATCH = 100 * BYTES_PER_MS;
  // In characters, several frames: a frame that waits does so until the next one arrives.
  private static final int MUCH_UNSENT = 2_000;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

  // All guarded by this.
  private final byte[] waiting = new byte[SECOND];
  private int first;
  private int length;
  private long dropped;
  private long number;
  private boolean behind; // whether the connection had much unsent data when it was looked at last
  private long since; // when it was first seen to have it, in nanoseconds

  /// Adds audio, and drops the oldest if there is too much.
  synchronized void add(byte[] audio) {
    int skipped = Math.max(0, audio.length - SECOND);
    int added = audio.length - skipped;
    int tooMuch = Math.max(0, length + added - SECOND);
    take(tooMuch);
    dropped += skipped + tooMuch;
    int end = (first + length) % SECOND;
    int atEnd = Math.min(added, SECOND - end);
    System.arraycopy(audio, skipped, waiting, end, atEnd);
    System.arraycopy(audio, skipped + atEnd, waiting, 0, added - atEnd);
    length += added;
  }

  /// Sends the waiting audio, unless the connection has much unsent data.
  ///
  /// @param now in nanoseconds
  /// @return false if the connection has had much unsent data for ten seconds
  synchronized boolean send(WebSocket socket, long now) {
    if (socket.queueSize() > MUCH_UNSENT) {
      since = behind ? since : now;
      behind = true;
      return now - since < PATIENCE;
    }
    behind = false;
    while (length > 0) {
      int batch = Math.min(length, LONGEST_BATCH);
      byte[] audio = new byte[batch];
      int atEnd = Math.min(batch, SECOND - first);
      System.arraycopy(waiting, first, audio, 0, atEnd);
      System.arraycopy(waiting, 0, audio, atEnd, batch - atEnd);
      take(batch);
      if (!socket.send(message(audio))) {
        // It is closing, which the reading thread notices.
        break;
      }
    }
    return true;
  }

  private void take(int bytes) {
    first = (first + bytes) % SECOND;
    length -= bytes;
  }

  // Fifty times a second for each call: building a tree would dominate the cost.
  private String message(byte[] audio) {
    number++;
    return "{\"type\":\"input_audio_buffer.append\",\"event_id\":\"audio_"
        + number
        + "\",\"audio\":\""
        + Base64.getEncoder().encodeToString(audio)
        + "\"}";
  }

  /// How much was dropped, in milliseconds.
  synchronized long dropped() {
    return dropped / BYTES_PER_MS;
  }
}
