package dev.switchboard.phone.testing;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;

/// The carrier's side of a socket of a call.
final class CarrierSocket extends WebSocketListener {
  private static final int NORMAL = 1000;
  private static final long CLOSING_SECONDS = 10;

  private final SimulatedCall call;
  private final Protocol protocol;
  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable WebSocket socket;
  private volatile boolean ended;
  private volatile boolean blocked; // whether it stopped reading
  private volatile boolean frozen; // whether it stopped sending too

  /// What is spoken over a socket.
  interface Protocol {
    /// The socket is open: sends the first messages.
    void greet(CarrierSocket socket);

    /// Speaks and listens until the socket has ended.
    void run();

    /// A message of the other side, also after the end.
    void message(String text);

    /// The caller has pressed a key.
    void press(char key);

    /// The length of what the caller has not heard yet, in milliseconds.
    long waiting();

    /// The carrier ends the socket next.
    void stopping();

    /// The other side has closed the socket, or it was not opened.
    ///
    /// @param status of the response instead of a socket, 0 for none
    void lost(int status);

    /// What the request after the end states.
    Map<String, String> report();
  }

  CarrierSocket(SimulatedCall call, Protocol protocol) {
    this.call = call;
    this.protocol = protocol;
  }

  Protocol protocol() {
    return protocol;
  }

  @Override
  public void onOpen(WebSocket opened, Response response) {
    socket = opened;
    if (ended) {
      boolean unused = opened.close(NORMAL, null);
      return;
    }
    call.connected(this);
    Thread.ofVirtual().name("simulated-line").start(protocol::run);
  }

  void send(String message) {
    WebSocket open = socket;
    if (open != null && !frozen) {
      boolean unused = open.send(message);
    }
  }

  /// Stops reading and sending; the connection stays open.
  void freeze() {
    frozen = true;
    blocked = true;
  }

  /// Stops reading.
  void stopReading() {
    blocked = true;
  }

  @Override
  public void onMessage(WebSocket from, String text) {
    awaitReading();
    protocol.message(text);
  }

  private void awaitReading() {
    try {
      if (blocked) {
        reading.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isEnded() {
    return ended;
  }

  /// Ends the socket from the carrier's side, as usual.
  void stop() {
    if (!ended) {
      protocol.stopping();
      end();
    }
  }

  /// Closes the socket.
  void end() {
    ended = true;
    reading.countDown();
    WebSocket open = socket;
    if (open != null) {
      boolean unused = open.close(NORMAL, null);
    }
    call.flow().disconnected(this);
  }

  /// Waits until the other side has closed it too: the next socket of a call comes after it.
  void awaitClosed() throws InterruptedException {
    if (socket != null && !blocked) {
      boolean unused = closed.await(CLOSING_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public void onClosing(WebSocket from, int code, String reason) {
    protocol.lost(0);
    end();
  }

  @Override
  public void onClosed(WebSocket from, int code, String reason) {
    closed.countDown();
  }

  @Override
  public void onFailure(WebSocket from, Throwable thrown, @Nullable Response response) {
    protocol.lost(response == null ? 0 : response.code());
    ended = true;
    reading.countDown();
    closed.countDown();
    call.flow().disconnected(this);
  }
}
