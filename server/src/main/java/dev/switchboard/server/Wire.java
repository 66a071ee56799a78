package dev.switchboard.server;

import dev.switchboard.time.Time;
import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;

/// The response of a stream: [#write] returns when the text was sent, or the connection is closed
/// after some time.
///
/// For the thread of its request, except [Open].
final class Wire implements AutoCloseable {
  /// The interval of keep-alive comments without events.
  static final Duration KEEPALIVE = Duration.ofSeconds(15);

  /// The keep-alive comment.
  static final String ALIVE = ": keepalive\n\n";

  /// The comment at the end of a stream that can be resumed.
  static final String RESUMABLE = ": resume\n\n";

  private static final int PIECE = 64 * 1024;
  private static final long IDLE = 0;

  private final ServletOutputStream out;
  private final EndPoint connection;
  private final Open open;
  private final Time time;
  private volatile long writingSince = IDLE;

  /// The streams whose clients may be slow. Thread-safe.
  static final class Open {
    private final Duration patience;
    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();

    /// @param patience how long a client may block a write
    Open(Duration patience) {
      this.patience = patience;
    }

    /// Closes the connections that have blocked a write too long.
    void cutStuck() {
      for (Wire wire : wires) {
        long since = wire.writingSince;
        if (since != IDLE && wire.time.nanos() - since > patience.toNanos()) {
          wire.connection.close();
        }
      }
    }
  }

  private Wire(Context ctx, Open open, Time time) throws IOException {
    this.open = open;
    this.time = time;
    out = ctx.res().getOutputStream();
    connection = connection(ctx);
  }

  /// The connection of that request.
  static EndPoint connection(Context ctx) {
    return ServletContextRequest.getServletContextRequest(ctx.req())
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint();
  }

  /// The response to that request as an event stream.
  static Wire open(Context ctx, Open open, Time time) throws IOException {
    ctx.res().setStatus(200);
    ctx.res().setContentType("text/event-stream");
    ctx.res().setCharacterEncoding("UTF-8");
    ctx.res().setHeader("Cache-Control", "no-store");
    ctx.res().setHeader("X-Accel-Buffering", "no");
    Wire wire = new Wire(ctx, open, time);
    open.wires.add(wire);
    return wire;
  }

  /// Writes that text.
  ///
  /// @throws IOException when the client has disconnected, or is too slow
  void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      for (int from = 0; from < bytes.length; from += PIECE) {
        long now = time.nanos();
        writingSince = now == IDLE ? 1 : now;
        out.write(bytes, from, Math.min(PIECE, bytes.length - from));
        out.flush();
      }
    } finally {
      writingSince = IDLE;
    }
  }

  /// Closes the connection before the response is complete.
  void breakOff() {
    connection.close();
  }

  @Override
  public void close() {
    open.wires.remove(this);
  }
}
