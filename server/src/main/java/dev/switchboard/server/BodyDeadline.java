package dev.switchboard.server;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Refuses requests whose body is not complete in time, even if bytes arrive slowly.
final class BodyDeadline extends Handler.Wrapper {
  private final Time time;
  private final Duration patience;

  BodyDeadline(Time time, Duration patience) {
    this.time = time;
    this.patience = patience;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return super.handle(
        request.getLength() == 0 ? request : new Timed(request), response, callback);
  }

  private final class Timed extends Request.Wrapper {
    private final long begin = time.nanos();
    private volatile Content.@Nullable Chunk late;

    Timed(Request wrapped) {
      super(wrapped);
    }

    @Override
    public void demand(Runnable callback) {
      if (time.nanos() - begin > patience.toNanos()) {
        late = Content.Chunk.from(new TimeoutException("the body does not come in time"));
        callback.run();
      } else {
        super.demand(callback);
      }
    }

    @Override
    public Content.Chunk read() {
      Content.Chunk fault = late;
      return fault == null ? super.read() : fault;
    }
  }
}
