package dev.switchboard.phone.testing;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A connection to a [RealtimeSimulator]: its messages, and controls for tests. Thread-safe.
public final class SimulatedSession {
  private static final long LONGEST_MESSAGE = 15L << 20;
  private static final Duration LONGEST_SILENCE = Duration.ofHours(2);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String EXPIRED = "Your session hit the maximum duration of 60 minutes.";
  private static final String AUDIO = "input_audio_buffer.append";

  private final Session socket;
  private final SimulatedConversation conversation;
  private final Time.Alarm expiry;
  private final List<JsonNode> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final ReentrantLock writing = new ReentrantLock();
  private volatile boolean stalls;
  private volatile boolean freezes;

  SimulatedSession(RealtimeSimulator.Settings settings, Session socket, String model) {
    this.socket = socket;
    socket.setMaxTextMessageSize(LONGEST_MESSAGE);
    socket.setIdleTimeout(LONGEST_SILENCE);
    conversation = new SimulatedConversation(settings, this, model);
    Time time = settings.time();
    expiry = time.alarm(time.nanos() + settings.lifetime().toNanos(), this::expire);
  }

  void begin(boolean beta) {
    if (beta) {
      // The retired version of the protocol: the upgrade succeeds, the session does not.
      error("beta_api_shape_disabled", "The Realtime Beta API is no longer supported.", null, null);
      close(4000, "invalid_request_error.beta_api_shape_disabled");
    } else {
      conversation.sendSession("session.created");
    }
  }

  /// All received messages in order, except audio.
  public List<JsonNode> received() {
    return List.copyOf(received);
  }

  /// The received messages of that type, in order.
  public List<JsonNode> received(String type) {
    return received.stream().filter(message -> isOf(message, type)).toList();
  }

  private static boolean isOf(JsonNode message, String type) {
    return message.path("type").asString("").equals(type);
  }

  /// The audio of the caller so far.
  public byte[] heard() {
    return conversation.heard();
  }

  /// The lines of the conversation.
  public List<ModelView.Line> lines() {
    return conversation.lines();
  }

  /// The session as the provider shows it.
  public JsonNode session() {
    return conversation.session();
  }

  /// Makes the caller begin to speak, as if it were detected.
  public void callerSpeaks() {
    conversation.callerSpeaks();
  }

  /// Makes the caller stop, having said that.
  public void callerSaid(String words) {
    conversation.callerSaid(words);
  }

  /// Ends held responses as if they were complete.
  public void release() {
    conversation.endAll(true);
  }

  /// Sends any text.
  public void sendRaw(String text) {
    write(text);
  }

  /// Sends an error.
  ///
  /// @param param the faulty member of a message, null for none
  /// @param eventId of the faulty message, null for none
  public void error(String code, String message, @Nullable String param, @Nullable String eventId) {
    ObjectNode event = conversation.event("error");
    event
        .putObject("error")
        .put("type", "invalid_request_error")
        .put("code", code)
        .put("message", message)
        .put("param", param)
        .put("event_id", eventId);
    conversation.send(event);
  }

  /// Ends the session as at its maximum duration.
  public void expire() {
    close(1001, EXPIRED);
  }

  /// Closes the connection.
  public void close(int code, String reason) {
    socket.close(code, reason, Callback.NOOP);
  }

  /// Drops the connection.
  public void drop() {
    socket.disconnect();
  }

  /// Stops sending; pings are still answered.
  public void stall() {
    stalls = true;
  }

  /// Stops reading and does not answer pings, as if the server were lost.
  public void freeze() {
    stalls = true;
    freezes = true;
  }

  void gone() {
    stalls = true;
    expiry.cancel();
    end.countDown();
    conversation.endAll(false);
  }

  void take(String text) {
    if (freezes) {
      await(end);
      return;
    }
    try {
      JsonNode message = Json.text(text).tree();
      // Atomically: a caller that sees the message also sees its effect.
      conversation.alone(() -> {
        if (!isOf(message, AUDIO)) {
          received.add(message);
        }
        conversation.obey(message);
      });
    } catch (JsonException e) {
      error("invalid_json", "The message is not JSON.", null, null);
    }
  }

  /// Waits for that, unless the thread is interrupted.
  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void write(String text) {
    writing.lock();
    try {
      if (!stalls) {
        CompletableFuture<Boolean> sent = new CompletableFuture<>();
        Callback callback = Callback.from(() -> sent.complete(true), sent::completeExceptionally);
        socket.sendText(text, callback);
        boolean unused = sent.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      stalls = true;
    } finally {
      writing.unlock();
    }
  }
}
