package dev.switchboard.server;

import dev.switchboard.mount.Mount;
import io.javalin.websocket.WsConnectContext;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/// Sends to the other side of a socket, which is disconnected if it does not read.
final class SocketChannel implements Mount.Channel {
  private static final int LONGEST_MESSAGE = 1 << 20;
  private static final Duration SILENCE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Session session;

  SocketChannel(WsConnectContext ctx) {
    session = ctx.session;
    session.setMaxTextMessageSize(LONGEST_MESSAGE);
    session.setIdleTimeout(SILENCE);
    // A connected client answers these pings.
    ctx.enableAutomaticPings(SILENCE.toMillis() / 3, TimeUnit.MILLISECONDS);
  }

  @Override
  public void send(String text) throws IOException {
    CompletableFuture<Boolean> sent = new CompletableFuture<>();
    session.sendText(text, Callback.from(() -> sent.complete(true), sent::completeExceptionally));
    try {
      boolean unused = sent.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      session.disconnect();
      throw new IOException("the other side does not read", e);
    } catch (ExecutionException e) {
      throw new IOException("the socket is closed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close(int code, String reason) {
    session.close(code, reason, Callback.NOOP);
  }
}
