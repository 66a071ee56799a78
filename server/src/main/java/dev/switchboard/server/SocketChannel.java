package dev.switchboard.server;

import dev.switchboard.mount.Mount;
import dev.switchboard.time.Time;
import io.javalin.websocket.WsConnectContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/// Sends to the other side of a socket, which is disconnected if it does not read: if a message
/// takes more than ten seconds, noticed up to five seconds later.
final class SocketChannel implements Mount.Channel {
  private static final int LONGEST_MESSAGE = 1 << 20;
  // Jetty allocates as much for each message; a carrier's have some 400 bytes.
  private static final int INPUT_BUFFER = 1024;
  private static final Duration SILENCE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Session session;
  private final Time time;
  private final BooleanSupplier valid;
  private final ReentrantLock lock = new ReentrantLock();
  private int unsent; // messages; guarded by lock
  private long moved; // when one was sent, or the first of them came; guarded by lock

  /// @param valid whether the client may still use it
  SocketChannel(WsConnectContext ctx, Time time, BooleanSupplier valid) {
    this.time = time;
    this.valid = valid;
    session = ctx.session;
    session.setMaxTextMessageSize(LONGEST_MESSAGE);
    session.setInputBufferSize(INPUT_BUFFER);
    session.setIdleTimeout(SILENCE);
    // A connected client answers these pings.
    ctx.enableAutomaticPings(SILENCE.toMillis() / 3, TimeUnit.MILLISECONDS);
    lookLater();
  }

  // Once for all messages: a limit for each would cost as much as sending it.
  private void lookLater() {
    Time.Alarm unused = time.alarm(time.nanos() + PATIENCE.toNanos() / 2, this::look);
  }

  private void look() {
    if (isStuck() || !valid.getAsBoolean()) {
      // On a separate thread: its listener may be slow, and alarms must not wait.
      Thread unused = Thread.startVirtualThread(session::disconnect);
    } else if (session.isOpen()) {
      lookLater();
    }
  }

  private boolean isStuck() {
    lock.lock();
    try {
      return unsent > 0 && time.nanos() - moved > PATIENCE.toNanos();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public CompletableFuture<?> send(String text) {
    count(1);
    return Callback.Completable.with(sent -> session.sendText(text, sent))
        .whenComplete((done, thrown) -> count(-1));
  }

  private void count(int more) {
    lock.lock();
    try {
      moved = more < 0 || unsent == 0 ? time.nanos() : moved;
      unsent += more;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close(int code, String reason) {
    session.close(code, reason, Callback.NOOP);
  }
}
