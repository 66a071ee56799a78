package dev.switchboard.server;

import dev.switchboard.time.Time;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Disconnects clients that read an ordinary response too slowly. The writes of a response may
/// block for a fixed time in total, and longer by the time that the written bytes need at a low
/// rate.
///
/// Event streams have their own deadline for each write. Thread-safe.
final class ResponseDeadline extends Handler.Wrapper {
  private static final long NANOS = 1_000_000_000;

  private final Time time;
  private final Duration patience;
  private final int bytesPerSecond;
  private final Set<Timed> begun = ConcurrentHashMap.newKeySet();

  ResponseDeadline(Time time, Duration patience, int bytesPerSecond) {
    this.time = time;
    this.patience = patience;
    this.bytesPerSecond = bytesPerSecond;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Timed timed = new Timed(request, response);
    Request.addCompletionListener(request, failure -> begun.remove(timed));
    return super.handle(request, timed, callback);
  }

  /// Disconnects clients that have blocked writes too long.
  void cutSlow() {
    long now = time.nanos();
    for (Timed timed : begun) {
      if (timed.isLate(now)) {
        timed.connection.close();
      }
    }
  }

  /// A response whose writes are timed; one write at a time.
  private final class Timed extends Response.Wrapper {
    private final EndPoint connection;
    private volatile boolean writing;
    private volatile long since; // start of the current write
    private volatile long allowed = patience.toNanos(); // for further writes

    Timed(Request request, Response response) {
      super(request, response);
      connection = request.getConnectionMetaData().getConnection().getEndPoint();
    }

    private boolean isLate(long now) {
      return writing && now - since > allowed;
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
      String type = getHeaders().get(HttpHeader.CONTENT_TYPE);
      if (content == null || type != null && type.startsWith("text/event-stream")) {
        super.write(last, content, callback);
        return;
      }
      int length = content.remaining();
      since = time.nanos();
      writing = true;
      begun.add(this);
      super.write(last, content, Callback.from(() -> written(length), callback));
    }

    private void written(int length) {
      writing = false;
      long left = allowed - (time.nanos() - since);
      allowed = left + length * NANOS / bytesPerSecond;
    }
  }
}
