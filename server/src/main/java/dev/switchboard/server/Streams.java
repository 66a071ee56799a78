package dev.switchboard.server;

import dev.switchboard.mount.Places;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.dialect.Encoder;
import dev.switchboard.time.Time;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The streams of a server: their maximum number, and the check that their clients keep up.
///
/// Thread-safe.
final class Streams {
  private static final long VALID_NANOS = Duration.ofSeconds(1).toNanos();

  private final Access access;
  private final Time time;
  private final Wire.Open open;
  private final Set<EventStream> running = ConcurrentHashMap.newKeySet();

  /// @param patience how long a client may block a write
  Streams(Access access, Time time, Duration patience) {
    this.access = access;
    this.time = time;
    open = new Wire.Open(patience);
  }

  /// Whether the client requests a stream.
  static boolean isWanted(Context ctx) {
    String accepted = ctx.header("Accept");
    return accepted != null && accepted.contains("text/event-stream");
  }

  /// A place for one more stream, acquired before anything else.
  ///
  /// @throws dev.switchboard.mount.FullException when the maximum is reached
  Place place(Context ctx) {
    return new Place(
        ctx, access.streams().acquire(access.principal(ctx).name()), access.validity(ctx));
  }

  /// Disconnects clients that do not read.
  void cutStuck() {
    open.cutStuck();
  }

  /// Sends a keepalive on each stream that has waited long enough.
  void keepAlive() {
    running.forEach(EventStream::keepAlive);
  }

  /// The place of one stream, for the thread of its request.
  final class Place implements AutoCloseable {
    private final Context ctx;
    private final Places.Place place;
    private final BooleanSupplier valid;
    private long checked;
    private boolean holds = true; // once it is not valid, it never is again

    private Place(Context ctx, Places.Place place, BooleanSupplier valid) {
      this.ctx = ctx;
      this.place = place;
      this.valid = valid;
      checked = time.nanos();
    }

    /// Streams the events of a turn until it ends, the client disconnects, or the server ends.
    ///
    /// @param after the number of the event before the first
    void streamTurn(Feed feed, long after, Encoder encoder)
        throws IOException, InterruptedException {
      stream(feed, after, true, null, encoder);
    }

    /// Streams the events of the turn of that input until it ends, the client disconnects, or the
    /// server ends.
    ///
    /// @param after the number of the event before the first
    void streamTurn(Feed feed, long after, String input, Encoder encoder)
        throws IOException, InterruptedException {
      stream(feed, after, true, input, encoder);
    }

    /// Streams events until the client disconnects or the server ends.
    ///
    /// @param after the number of the event before the first
    void streamAll(Feed feed, long after, Encoder encoder)
        throws IOException, InterruptedException {
      stream(feed, after, false, null, encoder);
    }

    private void stream(
        Feed feed, long after, boolean ofTurn, @Nullable String input, Encoder encoder)
        throws IOException, InterruptedException {
      try (Wire wire = open()) {
        EventStream stream =
            new EventStream(feed, after, ofTurn, input, encoder, wire, this::isValid, time);
        running.add(stream);
        try {
          stream.run();
        } finally {
          running.remove(stream);
        }
      }
    }

    /// The response as a stream.
    Wire open() throws IOException {
      return Wire.open(ctx, open, time);
    }

    /// Whether the client may still read; checked once a second, until it may not.
    boolean isValid() {
      long now = time.nanos();
      if (holds && now - checked >= VALID_NANOS) {
        checked = now;
        holds = valid.getAsBoolean();
      }
      return holds;
    }

    @Override
    public void close() {
      place.close();
    }
  }
}
