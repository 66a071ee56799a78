package dev.switchboard.cli;

import dev.switchboard.agent.Agent;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.Calls;
import dev.switchboard.phone.Phone;
import dev.switchboard.phone.carrier.AudioLine;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.Line;
import dev.switchboard.phone.carrier.TextLine;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineEvent.Status;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.phone.engine.relay.ConversationRelay;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/// A phone whose carrier and engine are played: one call at a time, in which the model makes the
/// replies that it is given, in their order, and none after them.
final class PlayedPhone implements AutoCloseable {
  private static final String NUMBER = "+15550001234";

  /// What the engine was handed: results of calls, and notes.
  final List<String> handed = new CopyOnWriteArrayList<>();

  private final Calls calls;
  private final BlockingQueue<Object> replies = new LinkedBlockingQueue<>();
  private final AtomicInteger made = new AtomicInteger();
  private final BlockingQueue<Runnable> steps = new ArrayBlockingQueue<>(1_000);
  private final Thread engine = Thread.ofVirtual().start(this::play);
  private final Line line;
  private Carrier.Switch exchange;
  private volatile Consumer<EngineEvent> events = event -> {};
  private volatile boolean opened;
  private String call = "";

  PlayedPhone(Agent agent) {
    this(agent, null);
  }

  /// A phone whose carrier hears and speaks, so that the agent's own model replies.
  static PlayedPhone relayed(Agent agent) {
    return new PlayedPhone(agent, ConversationRelay.of());
  }

  /// @param relay null for an engine that is played
  private PlayedPhone(Agent agent, ConversationRelay relay) {
    calls =
        Phone.builder()
            .carrier(new PlayedCarrier())
            .number(NUMBER)
            .publicUrl("http://127.0.0.1:1")
            .engine(relay == null ? new PlayedEngine() : relay)
            .build()
            .answeredBy(agent);
    line = relay == null ? new PlayedLine() : new PlayedText();
    opened = relay != null;
  }

  /// Engines tell what they do on a thread of their own.
  private void play() {
    try {
      while (true) {
        steps.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Rings and is answered.
  void rings(String id) {
    if (!isAnswered(id)) {
      throw new AssertionError("nobody answers " + id);
    }
  }

  /// Rings; returns whether it is answered.
  boolean isAnswered(String id) {
    call = id;
    opened = line instanceof TextLine;
    exchange.arrived(new Carrier.Arrival(id, "+14155550100", NUMBER, "inbound", Map.of()));
    exchange.post(id, new CarrierEvent.Connected(line));
    Awaitility.await().until(() -> opened || calls.count() == 0);
    return opened;
  }

  /// The model's next reply is these words.
  void replies(String words) {
    replies.add(words);
  }

  /// The model's next reply is that call of a tool.
  void calls(RequestedCall requested) {
    replies.add(requested);
  }

  /// The caller says that, and what the model replies to it is made.
  void says(String words) {
    int before = made.get() + replies.size();
    String item = "item" + before;
    steps.add(() -> {
      events.accept(new EngineEvent.SpeechStarted());
      events.accept(new EngineEvent.SpeechStopped());
      events.accept(new EngineEvent.Committed(item, null));
      events.accept(new EngineEvent.Transcribed(item, words));
    });
    Awaitility.await().until(() -> made.get() >= before);
  }

  /// The caller says that, and the carrier writes it down.
  void prompts(String words) {
    exchange.post(call, new CarrierEvent.Prompted(words, null, true));
  }

  /// Tells an event of the engine's, such as one that it has told before.
  void tell(EngineEvent event) {
    steps.add(() -> events.accept(event));
  }

  void hangsUp() {
    exchange.post(call, new CarrierEvent.Disconnected());
    Awaitility.await().until(() -> calls.count() == 0);
  }

  @Override
  public void close() {
    calls.close();
    engine.interrupt();
  }

  private void respond(EngineSession.Response asked) {
    Object reply = asked.aside() ? "" : replies.poll();
    String id = "resp" + asked.id();
    events.accept(new EngineEvent.Created(id, asked.id()));
    if (reply instanceof RequestedCall requested) {
      events.accept(new EngineEvent.Called(id, "call-" + id, requested));
      events.accept(new EngineEvent.Called(id, "call-" + id, requested));
    } else if (reply instanceof String words && !words.isEmpty()) {
      events.accept(new EngineEvent.Audio(id, "item-" + id, 0, new byte[800]));
      events.accept(new EngineEvent.Spoken(id, "item-" + id, words));
    }
    events.accept(new EngineEvent.Done(id, Status.COMPLETED, null, ModelReply.Usage.NONE));
    if (reply != null && !asked.aside()) {
      made.incrementAndGet();
    }
  }

  /// The caller hears all at once.
  private final class PlayedLine implements AudioLine {
    @Override
    public void play(byte[] audio) {}

    @Override
    public void mark(String name) {
      exchange.post(call, new CarrierEvent.Played(name));
    }

    @Override
    public void clear() {}

    @Override
    public void close(int code, String reason) {}
  }

  private static final class PlayedText implements TextLine {
    @Override
    public void say(String words, boolean last, boolean interruptible) {}

    @Override
    public void close(int code, String reason) {}
  }

  private final class PlayedCarrier implements Carrier {
    @Override
    public String name() {
      return "played";
    }

    @Override
    public List<Mount> routes(String publicUrl, Switch taken) {
      exchange = taken;
      return List.of();
    }

    @Override
    public Answer transfer(String id, String number, String from) {
      return Answer.TAKEN;
    }

    @Override
    public Answer hangUp(String id) {
      exchange.post(id, new CarrierEvent.Disconnected());
      return Answer.TAKEN;
    }

    @Override
    public Answer sayAndHangUp(String id, String words) {
      return hangUp(id);
    }
  }

  private static String words(Message message) {
    return switch (message) {
      case Message.Assistant(String text, var calls, var items) -> text;
      case Message.Notice(String text) -> text;
      case Message.Result result -> result.text();
      case Message.System(String text) -> text;
      case Message.User user -> user.text();
    };
  }

  private final class PlayedEngine implements Engine {
    @Override
    public String name() {
      return "played";
    }

    @Override
    public EngineSession open(Setup setup, Consumer<EngineEvent> taken) {
      events = taken;
      opened = true;
      steps.add(() -> taken.accept(new EngineEvent.Ready()));
      return new PlayedSession();
    }
  }

  private final class PlayedSession implements EngineSession {
    @Override
    public void send(byte[] audio) {}

    @Override
    public void create(Response response) {
      steps.add(() -> respond(response));
    }

    @Override
    public void cancel(String response) {}

    @Override
    public void truncate(String item, int content, int milliseconds) {}

    @Override
    public void delete(String item) {}

    @Override
    public void output(Message.Result result) {
      handed.add(result.text());
    }

    @Override
    public void add(Message message) {
      handed.add(words(message));
    }

    @Override
    public long dropped() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
