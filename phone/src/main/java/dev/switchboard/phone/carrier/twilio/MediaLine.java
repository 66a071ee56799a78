package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.json.Json;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.carrier.AudioLine;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Sends audio to the caller over a media socket. Messages wait in a queue until the one before
/// them has been sent; a clear overtakes waiting audio and marks.
final class MediaLine implements AudioLine {
  // Four minutes of audio, far more than is sent ahead.
  private static final int MOST_WAITING = 2 << 20;
  private static final int MARK_COST = 200;
  private static final int AUDIO_OVERHEAD = 40; // bytes that each piece counts in addition
  private static final int NORMAL = 1000;
  private static final int OVERLOADED = 1013;

  private final Mount.Channel channel;
  private final String stream;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Piece> waiting = new ArrayDeque<>(); // guarded by lock
  private int size; // of what waits, in bytes; guarded by lock
  private boolean
      sending; // whether a thread, or the end of a message, sends what waits; guarded by lock
  private boolean closed; // guarded by lock

  /// A message to send.
  private sealed interface Piece {
    int size();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Audio(byte[] audio) implements Piece {
      @Override
      public int size() {
        return audio.length + AUDIO_OVERHEAD;
      }
    }

    record Mark(String name) implements Piece {
      @Override
      public int size() {
        return MARK_COST;
      }
    }

    record Clear() implements Piece {
      @Override
      public int size() {
        return MARK_COST;
      }
    }
  }

  /// @param stream a name of letters and digits
  MediaLine(Mount.Channel channel, String stream) {
    this.channel = channel;
    this.stream = stream;
  }

  @Override
  public void play(byte[] audio) {
    if (audio.length > 0) {
      add(new Piece.Audio(audio));
    }
  }

  @Override
  public void mark(String name) {
    add(new Piece.Mark(name));
  }

  @Override
  public void clear() {
    lock.lock();
    try {
      waiting.clear();
      size = 0;
    } finally {
      lock.unlock();
    }
    add(new Piece.Clear());
  }

  private void add(Piece piece) {
    boolean full;
    boolean idle = false;
    lock.lock();
    try {
      full = !closed && size + piece.size() > MOST_WAITING;
      if (!closed && !full) {
        waiting.add(piece);
        size += piece.size();
        idle = !sending;
        sending = true;
      }
    } finally {
      lock.unlock();
    }
    if (full) {
      close(OVERLOADED, "The other side does not read.");
    }
    if (idle) {
      sendWaiting();
    }
  }

  @Override
  public void close(int code, String reason) {
    if (end()) {
      channel.close(code, reason);
    }
  }

  /// Ends the line after its socket was closed.
  ///
  /// @return whether it was open before
  boolean end() {
    lock.lock();
    try {
      boolean was = closed;
      closed = true;
      waiting.clear();
      return !was;
    } finally {
      lock.unlock();
    }
  }

  /// Sends what waits, on this thread as long as the network takes it at once.
  private void sendWaiting() {
    for (Piece piece = next(); piece != null; piece = next()) {
      CompletableFuture<?> sent = channel.send(text(piece));
      if (sent.isCompletedExceptionally()) {
        lost();
      } else if (!sent.isDone()) {
        var unused = sent.whenComplete(this::sent);
        return;
      }
    }
  }

  private void sent(@Nullable Object result, @Nullable Throwable thrown) {
    if (thrown != null) {
      lost();
    }
    sendWaiting();
  }

  /// The socket is closed, which is reported as its end, or the other side does not read.
  private void lost() {
    close(NORMAL, "");
  }

  private @Nullable Piece next() {
    lock.lock();
    try {
      Piece piece = waiting.poll();
      sending = piece != null;
      size -= piece == null ? 0 : piece.size();
      return piece;
    } finally {
      lock.unlock();
    }
  }

  private String text(Piece piece) {
    return switch (piece) {
      case Piece.Audio(byte[] audio) ->
          message(
              "media",
              ",\"media\":{\"payload\":\"" + Base64.getEncoder().encodeToString(audio) + "\"}");
      case Piece.Mark(String name) ->
          message("mark", ",\"mark\":{\"name\":" + Json.of(name).text() + "}");
      case Piece.Clear() -> message("clear", "");
    };
  }

  private String message(String event, String rest) {
    return "{\"event\":\"" + event + "\",\"streamSid\":\"" + stream + "\"" + rest + "}";
  }
}
