package dev.switchboard.phone.call;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.LiveSession;
import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One call, from its first ring to its end: an actor, which takes one event after the other from
/// its mailbox and never waits. Tools, orders to the carrier and what is written to the store run
/// elsewhere and come back as events.
///
/// Safe for use by several threads: they put events into the mailbox.
public final class CallSession {
  private static final Duration WARNING = Duration.ofSeconds(30);
  private static final Duration HANG_UP = Duration.ofSeconds(5);
  private static final Duration KEYS = Duration.ofSeconds(2);
  private static final Duration READY = Duration.ofSeconds(15);
  private static final int MOST_RECONNECTS = 3;

  private final Carrier.Arrival arrival;
  private final Parts parts;
  private final Mailbox mailbox;
  private final Voice voice;
  private final Journal journal;
  private final Talk talk;
  private final Departure departure;
  private final CallerConsent consent;
  private final KeyPad keyPad = new KeyPad();
  private final long begun;
  private volatile @Nullable EngineSession hearing; // what hears the caller, from any thread
  private Phase phase = Phase.RINGING;
  private String reason = "hung_up"; // of the end, where nobody says another
  private @Nullable Opened opened;
  private boolean connected;
  private boolean greeted;
  private boolean neverSpoke = true;
  private int sessions;
  private int reconnects;
  private long active; // nanos of the latest sign of life
  private Time.Alarm keys = () -> {};
  private @Nullable String failedTransfer; // what became of it, until the caller is back
  private boolean goodbyeSaid;

  /// What calls share.
  ///
  /// @param onEnd runs once when the call is over, on its thread
  public record Parts(
      Agent agent,
      Engine engine,
      Carrier carrier,
      CallSettings settings,
      Time time,
      CallRecorder recorder,
      Consumer<CallSession> onEnd) {}

  /// Where a call stands.
  public enum Phase {
    /// It has come in; nobody hears anything yet.
    RINGING,
    /// Its audio is there.
    CONNECTED,
    /// The engine hears and speaks.
    TALKING,
    /// The carrier connects the caller to someone else.
    TRANSFERRING,
    /// It is being ended.
    ENDING,
    /// It is over.
    ENDED
  }

  /// What is known when the conversation is open.
  private record Opened(Engine.Setup setup) {}

  CallSession(Carrier.Arrival arrival, Parts parts, Mailbox mailbox) {
    this.arrival = arrival;
    this.parts = parts;
    this.mailbox = mailbox;
    begun = parts.time().nanos();
    active = begun;
    voice = new Voice(this);
    journal =
        new Journal(
            mailbox.writer(),
            mailbox.workers(),
            step -> mailbox.post(new CallEvent.Then(step)),
            () -> fail("store"));
    talk = new Talk(this, voice, journal);
    departure = new Departure(this, voice);
    consent = new CallerConsent(this, voice, talk::answer);
  }

  /// A call that has come in, on a thread of its own.
  public static CallSession start(Carrier.Arrival arrival, Parts parts) {
    Mailbox mailbox = new Mailbox();
    CallSession session = new CallSession(arrival, parts, mailbox);
    mailbox.post(new CallEvent.Then(session::ring));
    mailbox.start("call " + arrival.id(), session::on);
    return session;
  }

  /// Takes what the carrier tells.
  public void tell(CarrierEvent event) {
    if (event instanceof CarrierEvent.Heard heard) {
      EngineSession session = hearing;
      if (session != null) {
        session.hear(heard.audio());
      }
    } else {
      mailbox.post(new CallEvent.OfCarrier(event));
    }
  }

  /// Ends the call with a goodbye, since the process ends or an operator wants it to.
  public void goodbye(String why) {
    mailbox.post(new CallEvent.Then(() -> sayGoodbye(why)));
  }

  /// Its id, the carrier's.
  public String id() {
    return arrival.id();
  }

  void on(CallEvent event) {
    switch (event) {
      case CallEvent.OfCarrier(CarrierEvent of) -> carrier(of);
      case CallEvent.OfEngine(int session, EngineEvent of) -> {
        if (session == sessions && !isEnded()) {
          engine(of);
        }
      }
      case CallEvent.OfTools(var of) -> {
        if (!isEnded()) {
          talk.tool(of);
        }
      }
      case CallEvent.Then(Runnable step) -> step.run();
    }
  }

  // -- its life

  void ring() {
    CallSettings settings = parts.settings();
    List<Tool> own =
        new SystemTools(settings.number(), settings.transfer(), this::departing)
            .of(settings.systemTools());
    ConversationOptions options = options().withTools(own.toArray(Tool[]::new));
    note("ringing", Codec.object());
    journal.open(
        () ->
            parts.agent().live(id(), options, event -> mailbox.post(new CallEvent.OfTools(event))),
        live -> new Opened(setup(live)),
        known -> {
          opened = known;
          openEngine();
        });
    talk.ringing(TurnInput.ringing(id()));
    after(settings.limits().duration().minus(WARNING), this::warn);
    watchSilence();
  }

  private ConversationOptions options() {
    ConversationOptions options =
        ConversationOptions.NONE.withCaller(arrival.from()).withCallee(arrival.to());
    ConversationOptions filled =
        options
            .withVariable("caller", arrival.from())
            .withVariable("callee", arrival.to())
            .withVariable("call_id", id())
            .withVariable("direction", arrival.direction())
            .withVariable("now", parts.time().now().toString());
    for (var parameter : arrival.parameters().entrySet()) {
      filled = filled.withVariable(parameter.getKey(), parameter.getValue());
    }
    return filled;
  }

  private static Engine.Setup setup(LiveSession live) {
    List<Engine.Item> history =
        live.history().stream().flatMap(message -> item(message).stream()).toList();
    return new Engine.Setup(live.instructions(), live.tools(), history);
  }

  /// What a model of speech reads of an earlier session: words, and results as words.
  private static Optional<Engine.Item> item(Message message) {
    return switch (message) {
      case Message.User(String text) -> item(Engine.Role.USER, text);
      case Message.Assistant(String text, var calls) -> item(Engine.Role.ASSISTANT, text);
      case Message.Notice(String text) -> item(Engine.Role.SYSTEM, text);
      case Message.Result result ->
          item(
              Engine.Role.SYSTEM,
              "The tool '%s' answered: %s".formatted(result.tool(), result.text()));
      case Message.System system -> Optional.empty();
    };
  }

  private static Optional<Engine.Item> item(Engine.Role role, String text) {
    return text.isBlank() ? Optional.empty() : Optional.of(new Engine.Item(role, text));
  }

  /// The engine is opened once there is both someone to hear and something to say.
  private void openEngine() {
    Opened known = opened;
    if (known != null && connected && !voice.isReady() && hearing == null && !isOver()) {
      openEngine(known.setup());
    }
  }

  private void openEngine(Engine.Setup setup) {
    sessions++;
    int session = sessions;
    EngineSession made =
        parts.engine().open(setup, event -> mailbox.post(new CallEvent.OfEngine(session, event)));
    hearing = made;
    voice.open(made, setup);
    after(
        READY.plusSeconds(5),
        () -> {
          if (session == sessions && !voice.isReady()) {
            fail("engine_timeout");
          }
        });
  }

  // -- what the carrier tells

  private void carrier(CarrierEvent event) {
    if (isEnded()) {
      return;
    }
    switch (event) {
      case CarrierEvent.Connected(var line) -> {
        voice.connect(line);
        connected = true;
        if (phase == Phase.TRANSFERRING) {
          back();
        } else if (phase == Phase.RINGING) {
          phase = Phase.CONNECTED;
        }
        note("connected", Codec.object());
        openEngine();
      }
      case CarrierEvent.Heard heard -> {}
      case CarrierEvent.Played(String mark) -> voice.played(mark);
      case CarrierEvent.Pressed(char key) -> pressed(key);
      case CarrierEvent.Disconnected gone -> disconnected();
      case CarrierEvent.Status(String status) -> status(status);
      case CarrierEvent.Dialed(String status) -> dialed(status);
    }
  }

  private void disconnected() {
    voice.disconnect();
    connected = false;
    if (phase == Phase.TRANSFERRING) {
      closeEngine();
    } else {
      end(reason);
    }
  }

  private void status(String status) {
    note("status", Codec.object().put("status", status));
    switch (status) {
      case "completed" -> end(phase == Phase.TRANSFERRING ? "transferred" : reason);
      case "busy", "failed", "no-answer", "canceled" -> end(status);
      default -> {}
    }
  }

  private void dialed(String status) {
    note("dialed", Codec.object().put("status", status));
    if (status.equals("completed")) {
      end("transferred");
    } else {
      failedTransfer = status;
    }
  }

  /// The caller is back from a transfer that came to nothing.
  private void back() {
    phase = Phase.CONNECTED;
    reason = "hung_up";
    departure.back();
    String status = failedTransfer == null ? "failed" : failedTransfer;
    failedTransfer = null;
    closeEngine();
    journal.read(
        CallSession::setup,
        setup -> {
          opened = new Opened(setup);
          openEngine();
          talk.news(
              "The transfer did not come about (" + status + "); the caller is back on the line.",
              false);
        });
  }

  private void pressed(char key) {
    active();
    note("key", Codec.object());
    if (consent.pressed(key)) {
      return;
    }
    keys.cancel();
    if (keyPad.press(key)) {
      keysEnded();
    } else if (keyPad.isOpen()) {
      keys = after(KEYS, this::keysEnded);
    }
  }

  private void keysEnded() {
    if (keyPad.isOpen()) {
      talk.pressed(keyPad.take());
    }
  }

  // -- what the engine tells

  private void engine(EngineEvent event) {
    switch (event) {
      case EngineEvent.Ready ready -> ready();
      case EngineEvent.SpeechStarted started -> speechStarted();
      case EngineEvent.SpeechStopped stopped -> active();
      case EngineEvent.Committed(String item) -> {
        voice.speechEnded();
        talk.committed(item);
      }
      case EngineEvent.Transcribed(String item, String text) -> talk.transcribed(item, text);
      case EngineEvent.Created(String response, String request) -> voice.created(response, request);
      case EngineEvent.Audio audio -> voice.audio(audio);
      case EngineEvent.Words words -> voice.words(words);
      case EngineEvent.Spoken words -> voice.spoken(words);
      case EngineEvent.Called called -> voice.called(called);
      case EngineEvent.Done done -> done(done);
      case EngineEvent.Refused refused -> {
        note("error", Codec.object().put("code", refused.code()));
        voice.refused(refused);
      }
      case EngineEvent.Lost(boolean fatal, String code, String message) -> lost(fatal, code);
    }
  }

  private void ready() {
    active();
    if (phase == Phase.CONNECTED) {
      phase = Phase.TALKING;
    }
    String first = parts.agent().firstMessage();
    if (!greeted && first != null) {
      greeted = true;
      voice.add(Engine.Role.ASSISTANT, first);
      String unused = voice.say(Kind.FIRST_MESSAGE, first, false);
      journal.greeted(first);
      line("agent", first);
    }
    voice.ready();
  }

  private void speechStarted() {
    active();
    departure.speechStarted();
    voice.speechStarted(talk::heard);
    note("interrupted", Codec.object());
  }

  private void done(EngineEvent.Done done) {
    Spoken of = voice.done(done.response());
    if (of != null) {
      if (!of.text().isEmpty()) {
        line("agent", of.heardText());
      }
      if (done.status() == EngineEvent.Status.FAILED) {
        failed(of.wanted, String.valueOf(done.reason()));
      }
      if (!of.wanted.aside()) {
        talk.replied(of, done);
      }
      if (of.wanted.kind() == Kind.FAREWELL) {
        departure.farewellSent();
      }
    }
    voice.pump();
  }

  /// A response did not come about.
  void failed(Wanted wanted, String code) {
    note("response_failed", Codec.object().put("code", code));
    if (wanted.aside()) {
      return;
    }
    if (wanted.kind() == Kind.FAREWELL) {
      departure.farewellSent();
    } else {
      String unused = voice.say(Kind.NOTICE, parts.settings().words().failed(), false);
    }
  }

  private void lost(boolean fatal, String code) {
    note("engine_lost", Codec.object().put("code", code));
    voice.lost();
    hearing = null;
    if (isOver()) {
      return;
    }
    reconnects++;
    if (fatal || reconnects > MOST_RECONNECTS) {
      fail(code);
      return;
    }
    talk.engineLost();
    Duration pause = Duration.ofMillis(250L << reconnects);
    after(pause, () -> journal.read(CallSession::setup, this::reopen));
  }

  private void reopen(Engine.Setup setup) {
    if (!isOver() && connected && hearing == null) {
      openEngine(setup);
    }
  }

  private void closeEngine() {
    sessions++;
    hearing = null;
    voice.lost();
    voice.close();
  }

  // -- its end

  /// The call cannot go on: the carrier's own voice says so.
  private void fail(String code) {
    if (isOver()) {
      return;
    }
    note("failed", Codec.object().put("code", code));
    leaving(Phase.ENDING, "failed");
    order(carrier -> carrier.sayAndHangUp(id(), parts.settings().words().failed()), answer -> {});
  }

  private void sayGoodbye(String why) {
    if (isOver()) {
      return;
    }
    reason = why;
    if (voice.isReady()) {
      String unused = voice.say(Kind.FAREWELL, parts.settings().words().goodbye(), false);
      after(HANG_UP, this::hangUp);
      goodbyeSaid = true;
    } else {
      hangUp();
    }
  }

  private void hangUp() {
    if (!isOver()) {
      leaving(Phase.ENDING, reason);
      order(carrier -> carrier.hangUp(id()), answer -> {});
    }
  }

  private void warn() {
    if (!isOver()) {
      String unused = voice.say(Kind.NOTICE, parts.settings().words().ending(), true);
      after(WARNING, () -> sayGoodbye("too_long"));
    }
  }

  private void watchSilence() {
    Duration half = parts.settings().limits().silence().dividedBy(2);
    after(half, () -> silent(half, false));
  }

  /// Nobody has said anything for a while.
  private void silent(Duration half, boolean asked) {
    if (isOver()) {
      return;
    }
    Duration quiet = Duration.ofNanos(nanos() - Math.max(active, voice.audible()));
    if (talk.isAtWork() || voice.isBusy() || quiet.compareTo(half) < 0) {
      Duration rest = quiet.compareTo(half) < 0 ? half.minus(quiet) : half;
      after(rest, () -> silent(half, false));
    } else if (asked) {
      sayGoodbye("silence");
    } else {
      String unused = voice.say(Kind.NOTICE, parts.settings().words().silence(), true);
      long since = active;
      after(half, () -> silentStill(half, since));
    }
  }

  private void silentStill(Duration half, long since) {
    if (active == since && !talk.isAtWork()) {
      sayGoodbye("silence");
    } else {
      silent(half, false);
    }
  }

  /// The call ends so, or goes elsewhere, once the carrier has done its part.
  void leaving(Phase next, String why) {
    phase = next;
    reason = why;
    voice.giveUpAll();
    if (next == Phase.ENDING) {
      after(HANG_UP, () -> end(why));
    }
  }

  private void end(String why) {
    if (isEnded()) {
      return;
    }
    boolean byCaller = why.equals("hung_up");
    phase = Phase.ENDED;
    departure.over();
    consent.over();
    voice.close();
    voice.closeLine(1000, "the call is over");
    hearing = null;
    journal.close(byCaller, unmet -> over(why, unmet));
  }

  private void over(String why, List<String> unmet) {
    if (!unmet.isEmpty()) {
      ObjectNode left = Codec.object();
      unmet.forEach(left.putArray("unmet")::add);
      note("unmet", left);
    }
    parts.recorder().ended(why);
    parts.onEnd().accept(this);
    mailbox.close();
  }

  // -- what its parts need

  /// Whether the call is to end, or to go elsewhere, or is over.
  boolean isOver() {
    return switch (phase) {
      case RINGING, CONNECTED, TALKING -> false;
      case TRANSFERRING, ENDING, ENDED -> true;
    };
  }

  boolean isLeaving() {
    return isOver();
  }

  private boolean isEnded() {
    return phase == Phase.ENDED;
  }

  boolean isSystemTool(String name) {
    return CallSettings.SYSTEM_TOOLS.contains(name);
  }

  boolean callerHasSpoken() {
    return talk.callerHasSpoken();
  }

  boolean neverSpoke() {
    return neverSpoke;
  }

  void firstAudio(Kind kind) {
    neverSpoke = false;
    note("audio", Codec.object().put("kind", kind.name()));
  }

  /// The caller has heard more of the agent.
  void heard() {
    departure.heard();
    if (goodbyeSaid && voice.isIdle()) {
      hangUp();
    }
  }

  /// The caller has given a sign of life, or something else has happened that is to be spoken of.
  void active() {
    active = nanos();
  }

  Duration age() {
    return Duration.ofNanos(nanos() - begun);
  }

  CallSettings settings() {
    return parts.settings();
  }

  private void departing(Departure.Request request) {
    mailbox.post(new CallEvent.Then(() -> departure.asked(request, talk.hasSpokenWithCalls())));
  }

  void unmet(Consumer<List<String>> then) {
    journal.read(LiveSession::unmet, then);
  }

  void finish(Consumer<List<String>> then) {
    journal.finish(then);
  }

  /// Has the carrier do something, beside all else.
  void order(Function<Carrier, Carrier.Answer> order, Consumer<Carrier.Answer> then) {
    mailbox
        .workers()
        .execute(() -> {
          Carrier.Answer answer = order.apply(parts.carrier());
          mailbox.post(new CallEvent.Then(() -> then.accept(answer)));
        });
  }

  /// A tool waits for a person's consent.
  void consent(String request, JsonNode asked) {
    ToolCall waiting = talk.waiting(request);
    if (waiting == null) {
      return;
    }
    switch (parts.settings().consent()) {
      case OPERATOR -> {
        talk.waits(request);
        Instant until = Instant.parse(asked.path("expiresAt").asString(""));
        Duration patience = Duration.between(parts.time().now(), until);
        after(patience.plusMillis(10), () -> journal.read(CallSession::expire, done -> {}));
      }
      case CALLER -> consent.ask(request, question(waiting));
      case DENY -> talk.answer(request, Answer.deny("nobody on this line may agree to it"));
    }
  }

  private static boolean expire(LiveSession live) {
    live.carryOut();
    return true;
  }

  private String question(ToolCall call) {
    return parts.settings().words().consent().replace("{tool}", call.name().replace('_', ' '));
  }

  /// Notes what has happened.
  void note(String type, ObjectNode details) {
    parts.recorder().happened(type, Json.of(details));
  }

  /// Notes what was said.
  void line(String role, String text) {
    parts.recorder().line(role, text);
  }

  long nanos() {
    return parts.time().nanos();
  }

  /// Does that step after a while, unless it is cancelled.
  Time.Alarm after(Duration wait, Runnable step) {
    return parts
        .time()
        .alarm(nanos() + wait.toNanos(), () -> mailbox.post(new CallEvent.Then(step)));
  }

  /// Where the call stands, for tests.
  Phase phase() {
    return phase;
  }
}
