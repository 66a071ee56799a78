package dev.switchboard.server;

import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.StreamLimit;
import dev.switchboard.server.dialect.Encoder;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// The streams of a server: how many there may be, and whether their clients keep up.
///
/// Safe for use by several threads.
final class Streams {
  private final Access access;
  private final Time time;
  private final Wire.Open open = new Wire.Open();

  Streams(Access access, Time time) {
    this.access = access;
    this.time = time;
  }

  /// Whether the client asks for a stream.
  static boolean isWanted(Context ctx) {
    String accepted = ctx.header("Accept");
    return accepted != null && accepted.contains("text/event-stream");
  }

  /// Room for one more stream, taken before anything else is done for it.
  ///
  /// @throws dev.switchboard.server.access.Problem `rate_limited` when there are as many as there
  ///   may be
  Place place(Context ctx) {
    return new Place(ctx, access.streams().acquire(access.principal(ctx)), access.validity(ctx));
  }

  /// Cuts the connections of clients that do not read.
  void cutStuck() {
    open.cutStuck();
  }

  /// The room of one stream, for the thread of its request.
  final class Place implements AutoCloseable {
    private final Context ctx;
    private final StreamLimit.Place place;
    private final BooleanSupplier valid;

    private Place(Context ctx, StreamLimit.Place place, BooleanSupplier valid) {
      this.ctx = ctx;
      this.place = place;
      this.valid = valid;
    }

    /// Streams events until one of them is the last, the client goes, or the server ends.
    ///
    /// @param after the number of the event behind which it begins
    void stream(Feed feed, long after, Encoder encoder, Predicate<Event.Logged> isLast)
        throws IOException, InterruptedException {
      try (Wire wire = open()) {
        new EventStream(feed, after, encoder, wire, valid).run(isLast);
      }
    }

    /// The response as a stream.
    Wire open() throws IOException {
      return Wire.open(ctx, open, time);
    }

    /// Whether the client may still read.
    boolean isValid() {
      return valid.getAsBoolean();
    }

    @Override
    public void close() {
      place.close();
    }
  }
}
