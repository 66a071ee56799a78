package dev.switchboard.phone.call;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One call, from its first ring to its end: an actor, which takes one event after the other from
/// its mailbox and never waits. Tools, orders to the carrier and what is written to the store run
/// elsewhere and come back as events.
///
/// Safe for use by several threads: they put events into the mailbox.
public final class CallSession {
  private static final String HUNG_UP = "hung_up";
  private static final Duration HANG_UP = Duration.ofSeconds(20);

  private final Carrier.Arrival arrival;
  private final Parts parts;
  private final Mailbox mailbox;
  private final Voice voice;
  private final CallJournal journal;
  private final Talk talk;
  private final Departure departure;
  private final LineConsent consent;
  private final KeyPad keys;
  private final TimeLimits limits;
  private final EngineLink engine;
  private final long begun;
  private CallPhase phase = CallPhase.RINGING;
  private String reason = HUNG_UP; // of the end, where nobody says another
  private boolean connected;
  private boolean greeted;
  private boolean neverSpoke = true;
  private long active; // nanos of the latest sign of life
  private @Nullable String failedTransfer; // what became of it, until the caller is back

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

  CallSession(Carrier.Arrival arrival, Parts parts, Mailbox mailbox) {
    this.arrival = arrival;
    this.parts = parts;
    this.mailbox = mailbox;
    begun = parts.time().nanos();
    active = begun;
    voice = new Voice(this);
    journal =
        new CallJournal(
            mailbox.writer(),
            mailbox.workers(),
            step -> mailbox.post(new CallEvent.Then(step)),
            () -> fail("store"));
    talk = new Talk(this, voice, journal);
    departure = new Departure(this, voice, journal);
    consent = new LineConsent(this, voice, talk, journal);
    keys = new KeyPad(this, talk, consent);
    limits = new TimeLimits(this, voice, talk);
    engine =
        new EngineLink(
            this,
            parts.engine(),
            voice,
            journal,
            (event, session) -> mailbox.post(new CallEvent.OfEngine(session, event)));
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
      engine.hear(heard.audio());
    } else {
      mailbox.post(new CallEvent.OfCarrier(event));
    }
  }

  /// Ends the call with a goodbye, since the process ends or an operator wants it to.
  public void goodbye(String why) {
    mailbox.post(new CallEvent.Then(() -> limits.goodbye(why)));
  }

  /// Its id, the carrier's.
  public String id() {
    return arrival.id();
  }

  /// The number that was called.
  public String number() {
    return arrival.to();
  }

  void on(CallEvent event) {
    switch (event) {
      case CallEvent.OfCarrier(CarrierEvent of) -> carrier(of);
      case CallEvent.OfEngine(int session, EngineEvent of) -> {
        if (engine.isOpen(session) && !isEnded()) {
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
    ConversationOptions options =
        CallRow.options(arrival, parts.time()).withTools(own.toArray(Tool[]::new));
    note("ringing", Codec.object());
    journal.open(
        () -> CallRow.open(arrival, parts.agent(), options, this::told),
        EngineLink::setup,
        engine::prepare);
    talk.ringing(TurnInput.ringing(id()));
    limits.begin();
  }

  private void told(Event event) {
    mailbox.post(new CallEvent.OfTools(event));
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
        if (phase == CallPhase.TRANSFERRING) {
          back();
        } else if (phase == CallPhase.RINGING) {
          phase = CallPhase.CONNECTED;
        }
        note("connected", Codec.object());
        engine.open();
      }
      case CarrierEvent.Heard heard -> {}
      case CarrierEvent.Played(String mark) -> voice.played(mark);
      case CarrierEvent.Pressed(char key) -> keys.pressed(key);
      case CarrierEvent.Disconnected gone -> disconnected();
      case CarrierEvent.Status(String status) -> status(status);
      case CarrierEvent.Dialed(String status) -> dialed(status);
    }
  }

  private void disconnected() {
    voice.disconnect();
    connected = false;
    if (phase == CallPhase.TRANSFERRING) {
      engine.close();
    } else {
      end(reason);
    }
  }

  private void status(String status) {
    note("status", Codec.object().put("status", status));
    switch (status) {
      case "completed" -> end(phase == CallPhase.TRANSFERRING ? "transferred" : reason);
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
    phase = CallPhase.CONNECTED;
    reason = HUNG_UP;
    departure.back();
    String status = failedTransfer == null ? "failed" : failedTransfer;
    failedTransfer = null;
    engine.close();
    journal.read(
        EngineLink::setup,
        setup -> {
          engine.prepare(setup);
          talk.news(
              "The transfer did not come about (" + status + "); the caller is back on the line.",
              false);
        });
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
      case EngineEvent.Lost(boolean fatal, String code, String message) -> {
        talk.engineLost();
        engine.lost(fatal, code);
      }
    }
  }

  private void ready() {
    active();
    if (phase == CallPhase.CONNECTED) {
      phase = CallPhase.TALKING;
    }
    String first = parts.agent().firstMessage();
    if (!greeted && first != null) {
      greeted = true;
      voice.add(Engine.Role.ASSISTANT, first);
      String unused = voice.say(Kind.FIRST_MESSAGE, first, false);
      journal.greeted(first);
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

  // -- its end

  /// The call cannot go on: the carrier's own voice says so.
  void fail(String code) {
    if (isOver()) {
      return;
    }
    note("failed", Codec.object().put("code", code));
    leaving(CallPhase.ENDING, "failed");
    order(carrier -> carrier.sayAndHangUp(id(), parts.settings().words().failed()), answer -> {});
  }

  /// Has the carrier end the call.
  void hangUp(String why) {
    if (!isOver()) {
      leaving(CallPhase.ENDING, why);
      order(carrier -> carrier.hangUp(id()), answer -> {});
    }
  }

  /// The call ends so, or goes elsewhere, once the carrier has done its part.
  void leaving(CallPhase next, String why) {
    phase = next;
    reason = why;
    voice.giveUpAll();
    if (next == CallPhase.ENDING) {
      var unused = after(HANG_UP, () -> endIfLeaving(why));
    }
  }

  private void endIfLeaving(String why) {
    if (phase == CallPhase.ENDING) {
      end(why);
    }
  }

  /// The carrier has refused: the call goes on, if the caller is still there.
  void staying() {
    if (isEnded()) {
      return;
    }
    phase = CallPhase.TALKING;
    reason = HUNG_UP;
    if (!connected) {
      end(reason);
    }
  }

  private void end(String why) {
    if (isEnded()) {
      return;
    }
    boolean byCaller = why.equals(HUNG_UP);
    phase = CallPhase.ENDED;
    departure.over();
    consent.over();
    engine.close();
    voice.closeLine(1000, "the call is over");
    journal.close(byCaller, why, unmet -> over(why, unmet));
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

  private boolean isEnded() {
    return phase == CallPhase.ENDED;
  }

  boolean isSystemTool(String name) {
    return CallSettings.SYSTEM_TOOLS.contains(name);
  }

  /// The number of the turn.
  int turn() {
    return talk.turn();
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
    limits.heard();
  }

  /// The caller has given a sign of life, or something else has happened that is to be spoken of.
  void active() {
    active = nanos();
  }

  /// When that was.
  long lastActive() {
    return active;
  }

  boolean isConnected() {
    return connected;
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
  void consent(String request, Instant until) {
    consent.asked(request, until);
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

  /// How long it is until that moment.
  Duration until(Instant moment) {
    return Duration.between(parts.time().now(), moment);
  }

  /// Does that step after a while, unless it is cancelled.
  Time.Alarm after(Duration wait, Runnable step) {
    return parts
        .time()
        .alarm(nanos() + wait.toNanos(), () -> mailbox.post(new CallEvent.Then(step)));
  }
}
