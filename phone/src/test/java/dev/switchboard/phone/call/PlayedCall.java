package dev.switchboard.phone.call;

import dev.switchboard.agent.Agent;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.carrier.AudioLine;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.TextLine;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.phone.engine.relay.ConversationRelay;
import dev.switchboard.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/// A call played by hand: what the carrier and the engine tell comes from a test, and what they are
/// asked for is written down, in its order.
final class PlayedCall {
  static final Carrier.Arrival ARRIVAL =
      new Carrier.Arrival("CA1", "+14155550100", "+15550001234", "inbound", Map.of());

  /// Of a phone whose model may state the numbers of the tests, which are in no country's plan.
  static final CallSettings SETTINGS =
      CallSettings.of("+15550001234")
          .with(
              new CallSettings.Transfer(
                  Map.of(), List.of("+1", "+15559876543", "+15550001111", "+1234567"), true));

  final ManualTime time;
  final List<Engine.Setup> setups = new CopyOnWriteArrayList<>();
  final List<byte[]> played = new CopyOnWriteArrayList<>();
  final List<String> wire = new CopyOnWriteArrayList<>();
  final List<String> said = new CopyOnWriteArrayList<>(); // by the carrier; "|" ends a response
  final List<String> lines = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  final List<EngineSession.Response> responses = new CopyOnWriteArrayList<>();
  final List<String> ended = new ArrayList<>();
  final CallSession session;
  ModelReply.Usage usage = ModelReply.Usage.NONE; // at the end
  volatile String refusal; // of the carrier
  volatile CountDownLatch carrierAnswers = new CountDownLatch(0);
  long dropped; // milliseconds of the caller's audio that each session drops
  private final Mailbox mailbox;
  private volatile Consumer<EngineEvent> engine = event -> {};
  private int made;

  PlayedCall(Agent agent, CallSettings settings) {
    this(agent, settings, new Mailbox(Runnable::run));
  }

  /// @param mailbox whose writer writes what is written of the call
  PlayedCall(Agent agent, CallSettings settings, Mailbox mailbox) {
    this(ARRIVAL, agent, settings, new ManualTime(), mailbox);
  }

  /// @param clock of the call, which may be its agent's too
  PlayedCall(Carrier.Arrival arrival, Agent agent, CallSettings settings, ManualTime clock) {
    this(arrival, agent, settings, clock, new Mailbox(Runnable::run));
  }

  private PlayedCall(
      Carrier.Arrival arrival,
      Agent agent,
      CallSettings settings,
      ManualTime clock,
      Mailbox mailbox) {
    this(arrival, agent, settings, clock, mailbox, null);
  }

  /// A call whose carrier hears and speaks.
  static PlayedCall relayed(Agent agent, CallSettings settings, ManualTime clock) {
    return new PlayedCall(
        ARRIVAL, agent, settings, clock, new Mailbox(Runnable::run), ConversationRelay.of());
  }

  /// @param by the engine, null for one that is played by hand
  private PlayedCall(
      Carrier.Arrival arrival,
      Agent agent,
      CallSettings settings,
      ManualTime clock,
      Mailbox mailbox,
      Engine by) {
    this.mailbox = mailbox;
    time = clock;
    session =
        new CallSession(
            arrival,
            new CallSession.Parts(
                agent,
                by == null ? new PlayedEngine() : by,
                new PlayedCarrier(),
                settings,
                time,
                recorder(),
                c -> {}),
            mailbox);
  }

  private CallRecorder recorder() {
    return new CallRecorder() {
      @Override
      public void happened(String type, Json details) {
        notes.add(type + " " + details.text());
      }

      @Override
      public void line(String role, String text) {
        lines.add(role + ": " + text);
      }

      @Override
      public void ended(String reason, ModelReply.Usage tokens) {
        usage = tokens;
        ended.add(reason);
        notes.add("ended " + reason);
      }

      @Override
      public void late(Json details) {
        notes.add("late_result " + details.text());
      }
    };
  }

  /// The call has come in, its audio is there, and the engine is ready.
  PlayedCall talking() {
    session.ring();
    drain();
    carrier(new CarrierEvent.Connected(line()));
    engine(new EngineEvent.Ready());
    return this;
  }

  /// The call has come in, and its carrier hears and speaks.
  PlayedCall relaying() {
    session.ring();
    drain();
    carrier(new CarrierEvent.Connected(new PlayedText()));
    return this;
  }

  /// The caller says that, as the carrier understands it.
  void prompts(String words) {
    carrier(new CarrierEvent.Prompted(words, "en-US", true));
  }

  /// What the carrier was asked to say, each response whole.
  List<String> spoken() {
    return List.of(String.join("", said).split("\\|"));
  }

  /// Drains until the carrier was asked to say that, as the end of a response.
  void untilSaid(String words) {
    until(() -> String.join("", said).endsWith(words + "|"));
  }

  /// The caller's side of its audio.
  AudioLine line() {
    return new PlayedLine();
  }

  void drain() {
    while (mailbox.drain(session::on)) {
      Thread.onSpinWait();
    }
  }

  /// Drains until that holds, in real time.
  void until(BooleanSupplier holds) {
    try {
      Awaitility.await()
          .pollInSameThread()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> {
            drain();
            return holds.getAsBoolean();
          });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("does not come about; the wire: " + wire + ", notes: " + notes, e);
    }
    drain();
  }

  void advance(Duration step) {
    time.advance(step);
    drain();
  }

  void carrier(CarrierEvent event) {
    session.post(event);
    drain();
  }

  void engine(EngineEvent event) {
    engine.accept(event);
    drain();
  }

  /// The engine tells those before the call takes the first of them.
  void tell(EngineEvent... events) {
    List.of(events).forEach(engine);
  }

  /// How many events wait for the call.
  int waiting() {
    return mailbox.size();
  }

  /// The engine begins the response that was asked for last; its id there.
  String created() {
    made++;
    String id = "resp" + made;
    engine(new EngineEvent.Created(id, responses.getLast().id()));
    return id;
  }

  void audio(String response, int milliseconds) {
    engine(new EngineEvent.Audio(response, "item-" + response, 0, new byte[milliseconds * 8]));
  }

  void calls(String response, String id, String tool, String arguments) {
    engine(new EngineEvent.Called(response, "item-" + id, RequestedCall.of(id, tool, arguments)));
  }

  void done(String response) {
    done(response, EngineEvent.Status.COMPLETED);
  }

  void done(String response, EngineEvent.Status status) {
    engine(new EngineEvent.Done(response, status, null, ModelReply.Usage.NONE));
  }

  /// The caller says something, and it is understood.
  void says(String item, String words) {
    engine(new EngineEvent.SpeechStarted());
    engine(new EngineEvent.SpeechStopped());
    engine(new EngineEvent.Committed(item, null));
    engine(new EngineEvent.Transcribed(item, words));
  }

  /// The agent says that, as one response, and the caller hears all of it.
  String speaks(String words, int milliseconds) {
    String response = created();
    engine(new EngineEvent.Spoken(response, "item-" + response, words));
    audio(response, milliseconds);
    done(response);
    hearsAll();
    return response;
  }

  /// The caller hears up to the latest mark.
  void hearsAll() {
    for (int i = wire.size() - 1; i >= 0; i--) {
      if (wire.get(i).startsWith("mark ")) {
        carrier(new CarrierEvent.Played(wire.get(i).substring("mark ".length())));
        return;
      }
    }
  }

  /// What went over the wire to the engine, without audio.
  List<String> toEngine() {
    return wire.stream().filter(one -> !one.matches("(play|mark|clear|close|rest).*")).toList();
  }

  List<String> toCarrier() {
    return wire.stream().filter(one -> one.matches("(clear|close|rest).*")).toList();
  }

  private final class PlayedText implements TextLine {
    @Override
    public void say(String words, boolean last, boolean interruptible) {
      said.add(words + (last ? "|" : ""));
    }

    @Override
    public void close(int code, String reason) {
      wire.add("close " + code);
    }
  }

  private final class PlayedLine implements AudioLine {
    @Override
    public void play(byte[] audio) {
      played.add(audio);
      wire.add("play " + audio.length / 8);
    }

    @Override
    public void mark(String name) {
      wire.add("mark " + name);
    }

    @Override
    public void clear() {
      wire.add("clear");
    }

    @Override
    public void close(int code, String reason) {
      wire.add("close " + code);
    }
  }

  private final class PlayedCarrier implements Carrier {
    @Override
    public String name() {
      return "played";
    }

    @Override
    public List<Mount> routes(String publicUrl, Switch calls) {
      return List.of();
    }

    @Override
    public Answer transfer(String call, String number, String from) {
      wire.add("rest transfer " + number);
      return new Answer(refusal);
    }

    @Override
    public Answer hangUp(String call) {
      wire.add("rest hang up");
      try {
        carrierAnswers.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return new Answer(refusal);
    }

    @Override
    public Answer sayAndHangUp(String call, String words) {
      wire.add("rest say " + words);
      return new Answer(refusal);
    }
  }

  private final class PlayedEngine implements Engine {
    @Override
    public String name() {
      return "played";
    }

    @Override
    public EngineSession open(Setup setup, Consumer<EngineEvent> events) {
      setups.add(setup);
      wire.add("open " + setup.tools().stream().map(tool -> tool.name()).toList());
      engine = events;
      return new PlayedSession();
    }
  }

  private final class PlayedSession implements EngineSession {
    private final Map<String, RequestedCall> added = new HashMap<>();

    @Override
    public void send(byte[] audio) {
      wire.add("hear " + audio.length / 8);
    }

    @Override
    public void create(Response response) {
      responses.add(response);
      wire.add(
          "create "
              + (response.aside() ? "aside " + response.words() : "answer " + response.choice()));
    }

    @Override
    public void cancel(String response) {
      wire.add("cancel " + response);
    }

    @Override
    public void truncate(String item, int content, int milliseconds) {
      wire.add("truncate " + item + " " + milliseconds);
    }

    @Override
    public void delete(String item) {
      wire.add("delete " + item);
    }

    @Override
    public void output(Message.Result result) {
      wire.add("output " + result.callId() + " " + result.text());
    }

    @Override
    public void add(Message message) {
      switch (message) {
        case Message.User user -> wire.add("add USER " + user.text());
        case Message.Notice(String text) -> wire.add("add SYSTEM " + text);
        case Message.Assistant(String text, List<RequestedCall> calls, var unused) -> {
          if (!text.isEmpty()) {
            wire.add("add ASSISTANT " + text);
          }
          calls.forEach(call -> added.put(call.id(), call));
        }
        case Message.Result result -> {
          RequestedCall call = Objects.requireNonNull(added.get(result.callId()));
          wire.add(
              "call %s %s -> %s".formatted(call.name(), call.arguments().text(), result.text()));
        }
        case Message.System system -> throw new IllegalArgumentException(system.text());
      }
    }

    @Override
    public long dropped() {
      return dropped;
    }

    @Override
    public void close() {
      wire.add("end of engine");
    }
  }
}
