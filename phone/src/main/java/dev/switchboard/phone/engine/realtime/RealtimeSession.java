package dev.switchboard.phone.engine.realtime;

import dev.switchboard.model.Message;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A call's session over a WebSocket.
///
/// It is set up once the provider has reported its start, and ready once the provider has confirmed
/// the setup; messages wait until then. Events are reported on the reading thread, one at a time;
/// the loss may be reported on another thread.
final class RealtimeSession implements EngineSession, SessionSocket.Reader {
  private static final System.Logger LOG = System.getLogger(OpenAiRealtime.class.getName());
  private static final byte[] NO_AUDIO = {};
  private static final Duration SETTING_UP = Duration.ofSeconds(15);
  private static final int MOST_HELD = 1_000;
  private static final int MOST_KNOWN = 4_096;

  private enum Phase {
    /// Until the provider reports the start of the session.
    OPENING,
    /// Until the provider confirms the setup.
    SETTING_UP,
    READY,
    OVER
  }

  private final OpenAiRealtime engine;
  private final Engine.Setup setup;
  private final Consumer<EngineEvent> events;
  private final ClientMessages messages = new ClientMessages();
  private final SessionSocket connection;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Phase phase = Phase.OPENING; // written under the lock
  // All guarded by the lock.
  private final List<String> held = new ArrayList<>();
  private final Queue<String> requests = new ArrayDeque<>();
  private final SessionItems items = new SessionItems();
  private final Set<String> calls = new LinkedHashSet<>();
  private final Set<String> preambles = new LinkedHashSet<>(); // items
  private boolean strict;
  private @Nullable Transcriber transcriber; // null for none, also once it was refused
  private boolean transcriberRefused;
  private Time.@Nullable Alarm deadline;

  RealtimeSession(OpenAiRealtime engine, Engine.Setup setup, Consumer<EngineEvent> events) {
    this.engine = engine;
    this.setup = setup;
    this.events = events;
    connection = new SessionSocket(this, engine.time());
  }

  /// Connects, without waiting.
  void open(OkHttpClient client, Request.Builder request) {
    lock.lock();
    try {
      deadline = connection.alarm(SETTING_UP, this::setUpTooLong);
      connection.open(client, request);
    } finally {
      lock.unlock();
    }
  }

  private void setUpTooLong() {
    lock.lock();
    try {
      if (phase != Phase.READY) {
        lose(true, "timeout", "did not set up a session within 15 seconds");
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void read(String message) {
    JsonNode tree = ServerMessages.tree(message);
    if (tree == null) {
      LOG.log(Level.DEBUG, "the engine sent something that is not a JSON object");
      return;
    }
    lock.lock();
    try {
      take(tree);
    } finally {
      lock.unlock();
    }
    if (phase == Phase.READY) {
      connection.sendAudio(NO_AUDIO, true);
    }
  }

  private void take(JsonNode message) {
    String type = ServerMessages.string(message, "type");
    switch (type) {
      case "session.created" -> setUp();
      case "session.updated" -> settled(message.path("session"));
      case "response.output_item.added" -> begins(message.path("item"));
      case "error" -> failed(RealtimeError.of(message.path("error")));
      default -> emit(ServerMessages.event(type, message));
    }
    if (type.equals("response.done")) {
      // The quota may be used up during a session.
      RealtimeError error =
          RealtimeError.of(message.path("response").path("status_details").path("error"));
      if (error.fatal()) {
        lose(true, error.code(), refusal(error));
      }
    }
  }

  private void setUp() {
    if (phase == Phase.OPENING) {
      phase = Phase.SETTING_UP;
      strict = !engine.strictRefused();
      transcriber = engine.transcriber();
      sendSetup();
    }
  }

  private void sendSetup() {
    connection.send(messages.session(engine.settings(), transcriber, setup, strict));
  }

  private void settled(JsonNode session) {
    if (phase != Phase.SETTING_UP) {
      return;
    }
    JsonNode audio = session.path("audio");
    if (!isOurs(audio.path("input")) || !isOurs(audio.path("output"))) {
      lose(true, "wrong_format", "does not use " + ClientMessages.FORMAT + " in both directions");
      return;
    }
    phase = Phase.READY;
    cancelDeadline();
    setup.history().forEach(message -> messages(message).forEach(connection::send));
    held.forEach(connection::send);
    held.clear();
    connection.watch();
    emit(new EngineEvent.Ready());
  }

  private static boolean isOurs(JsonNode direction) {
    return ServerMessages.string(direction.path("format"), "type").equals(ClientMessages.FORMAT);
  }

  private void failed(RealtimeError error) {
    if (phase == Phase.SETTING_UP && strict && error.refusesStrict()) {
      strict = false;
      engine.refuseStrict();
      sendSetup();
    } else if (transcriber != null && error.isOf(transcriber)) {
      stopTranscribing(transcriber, error);
    } else if (error.code().equals(RealtimeError.EXPIRED)) {
      lose(false, RealtimeError.EXPIRED, refusal(error));
    } else if (error.fatal() || phase != Phase.READY) {
      lose(true, error.code(), refusal(error));
    } else {
      // The message may quote the conversation.
      LOG.log(Level.WARNING, "the engine at " + engine.place() + " refused: " + error.code());
      callRefused(error.eventId());
      String request = ClientMessages.request(error.eventId());
      boolean unused = request != null && requests.remove(request);
      emit(new EngineEvent.Refused(request, error.code(), withoutKey(error.message())));
    }
  }

  /// The session goes on without the words of the caller.
  private void stopTranscribing(Transcriber refused, RealtimeError error) {
    LOG.log(
        Level.WARNING,
        "the engine at %s does not transcribe with '%s': %s; the session goes on without the callers' words: change transcriber"
            .formatted(engine.place(), refused.name(), error.code()));
    transcriber = null;
    transcriberRefused = true;
    if (phase == Phase.SETTING_UP) {
      sendSetup();
    } else {
      connection.send(messages.withoutTranscription());
    }
  }

  private List<String> messages(Message message) {
    return items.messages(message, messages, !engine.callsRefused());
  }

  /// If the server has refused a call or its output, the model gets its text, once.
  private void callRefused(String event) {
    String words = items.refused(event, messages);
    if (words != null) {
      engine.refuseCalls();
      connection.send(words);
    }
  }

  private static String refusal(RealtimeError error) {
    return "refused: " + (error.message().isEmpty() ? error.code() : error.message());
  }

  private String withoutKey(String text) {
    return text.replace(engine.settings().key().text(), "***");
  }

  private void emit(@Nullable EngineEvent event) {
    lock.lock();
    try {
      if (phase != Phase.READY || event == null) {
        return;
      }
      switch (event) {
        case EngineEvent.Created created ->
            events.accept(new EngineEvent.Created(created.response(), asked(created.request())));
        case EngineEvent.Called called -> {
          if (isNew(called.call().id(), calls)) {
            events.accept(called);
          }
        }
        case EngineEvent.Audio audio when preambles.contains(audio.item()) ->
            events.accept(audio.ofPreamble());
        default -> events.accept(event);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Servers that drop a response's metadata create responses in the order of the requests.
  private @Nullable String asked(@Nullable String request) {
    if (request == null) {
      return requests.poll();
    }
    boolean unused = requests.remove(request);
    return request;
  }

  private void begins(JsonNode item) {
    String preamble = ServerMessages.preamble(item);
    if (preamble != null) {
      boolean unused = isNew(preamble, preambles);
    }
  }

  /// Whether that id is not among the latest ones, which it joins.
  private static boolean isNew(String id, Set<String> latest) {
    if (latest.size() >= MOST_KNOWN) {
      latest.remove(latest.iterator().next());
    }
    return latest.add(id);
  }

  @Override
  public void lost(boolean refused, boolean settled, String code, String what) {
    lock.lock();
    try {
      boolean fatal = phase == Phase.READY ? settled : refused && !transcriberRefused;
      if (transcriberRefused) {
        // The connection may be closed for it: the next session does not ask for it.
        engine.refuseTranscriber();
      }
      lose(fatal, code, what);
    } finally {
      lock.unlock();
    }
  }

  private void lose(boolean fatal, String code, String what) {
    if (phase == Phase.OVER) {
      return;
    }
    end();
    // Not a graceful close: a server that does not answer would not answer that either.
    connection.close(true);
    String message = "The engine at " + engine.place() + " " + withoutKey(what) + ".";
    events.accept(new EngineEvent.Lost(fatal, code, message));
  }

  private void end() {
    phase = Phase.OVER;
    held.clear();
    cancelDeadline();
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel();
    }
  }

  private void send(String message) {
    lock.lock();
    try {
      switch (phase) {
        case OPENING, SETTING_UP -> {
          held.add(message);
          if (held.size() > MOST_HELD) {
            connection.stalled();
          }
        }
        case READY -> connection.send(message);
        case OVER -> {}
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void send(byte[] audio) {
    connection.sendAudio(audio, phase == Phase.READY);
  }

  @Override
  public void create(Response response) {
    lock.lock();
    try {
      if (requests.size() < MOST_HELD) {
        requests.add(response.id());
      }
      send(messages.create(response));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void cancel(String response) {
    send(messages.cancel(response));
  }

  @Override
  public void truncate(String item, int content, int milliseconds) {
    send(messages.truncate(item, content, milliseconds));
  }

  @Override
  public void delete(String item) {
    send(messages.delete(item));
  }

  @Override
  public void output(Message.Result result) {
    send(messages.output(result.callId(), result.text()));
  }

  @Override
  public void add(Message message) {
    lock.lock();
    try {
      messages(message).forEach(this::send);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long dropped() {
    return connection.dropped();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      boolean opening = phase == Phase.OPENING;
      if (phase != Phase.OVER) {
        end();
        connection.close(opening);
      }
    } finally {
      lock.unlock();
    }
  }
}
