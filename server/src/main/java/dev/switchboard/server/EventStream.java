package dev.switchboard.server;

import dev.switchboard.server.dialect.Encoder;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A stream of a conversation's events to one client: from a cursor in the log, then new ones. A
/// client that does not read delays only its own stream, which is then closed; the client can
/// resume it by its cursor.
///
/// For the thread of its request, except [#keepAlive].
final class EventStream {
  private static final int MOST_UNSENT = 64 * 1024;
  private static final long BUSY = 0;

  private final Feed feed;
  private final Encoder encoder;
  private final Wire wire;
  private final BooleanSupplier valid;
  private final boolean ofTurn;
  private final @Nullable String input;
  private final Time time;
  private long cursor;
  private volatile long waitsSince = BUSY; // in nanoseconds

  /// @param after the number of the event after which it begins
  /// @param ofTurn whether it ends after the end of a turn, or its interruption
  /// @param input of that turn, if the stream may begin with the end of another; null for the first
  ///   that ends
  /// @param valid whether the client may still read
  EventStream(
      Feed feed,
      long after,
      boolean ofTurn,
      @Nullable String input,
      Encoder encoder,
      Wire wire,
      BooleanSupplier valid,
      Time time) {
    this.feed = feed;
    this.time = time;
    this.encoder = encoder;
    this.wire = wire;
    this.valid = valid;
    this.ofTurn = ofTurn;
    this.input = input;
    cursor = after;
  }

  /// Writes events until the turn ends, the client disconnects, or no more can come.
  void run() throws InterruptedException {
    long entered = feed.enter();
    try {
      wire.write(Wire.ALIVE + encoder.begin());
      boolean open = true;
      while (open && valid.getAsBoolean()) {
        open = next(entered);
      }
    } catch (IOException e) {
      // The client has disconnected, and can resume by its cursor.
    } finally {
      feed.leave();
    }
  }

  private boolean next(long entered) throws IOException, InterruptedException {
    List<Event.Logged> events = feed.after(cursor);
    if (events.isEmpty()) {
      return idle(entered);
    }
    StringBuilder text = new StringBuilder();
    for (Event.Logged event : events) {
      cursor = event.number();
      if (isOfAnotherTurn(event)) {
        text.append(encoder.ofTurnBefore(event));
        continue;
      }
      text.append(encoder.encode(event));
      if (ofTurn && TurnIndex.isDone(event)) {
        wire.write(text.append(encoder.end()).toString());
        if (encoder.breaksOff()) {
          wire.breakOff();
        }
        return false;
      }
      if (text.length() > MOST_UNSENT) {
        wire.write(text.toString());
        text.setLength(0);
      }
    }
    if (!text.isEmpty()) {
      wire.write(text.toString());
    }
    return true;
  }

  /// A turn whose requests have expired ends when the next one begins.
  private boolean isOfAnotherTurn(Event.Logged event) {
    return input != null && event.run() != null && !input.equals(event.run());
  }

  private boolean idle(long entered) throws IOException, InterruptedException {
    if (isEnding(entered)) {
      wire.write(Wire.RESUMABLE);
      if (!encoder.isResumable()) {
        wire.breakOff();
      }
      return false;
    }
    long now = time.nanos();
    waitsSince = now == BUSY ? 1 : now;
    feed.await(cursor, ofTurn);
    waitsSince = BUSY;
    if (feed.last() <= cursor && !feed.isBehind(cursor) && !isEnding(entered)) {
      wire.write(Wire.ALIVE);
    }
    return true;
  }

  /// Sends a keepalive if it has waited long enough. Thread-safe.
  void keepAlive() {
    long since = waitsSince;
    if (since != BUSY && time.nanos() - since >= Wire.KEEPALIVE.toNanos()) {
      feed.probe();
    }
  }

  private boolean isEnding(long entered) {
    return feed.isOver(cursor, ofTurn) || feed.isInterrupted(entered);
  }
}
