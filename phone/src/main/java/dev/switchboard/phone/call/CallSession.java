package dev.switchboard.phone.call;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.Line;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// One call, from its first ring to its end: an actor that handles one event of its mailbox at a
/// time and never blocks. Tools, orders to the carrier and writes to the store run on other
/// threads; their results arrive as events.
///
/// Thread-safe: other threads put events into the mailbox.
public final class CallSession {
  private static final Duration SETTLING = Duration.ofSeconds(2);

  private final Carrier.Arrival arrival;
  private final Parts parts;
  private final Mailbox mailbox;
  private final CallContext call;
  private final Intake intake;
  private final TurnFigures figures;
  final Playout playout; // package-private for tests
  private final EngineSide told;
  private final Voice voice;
  private final CallJournal journal;
  private final Talk talk;
  private final Greeting greeting;
  final Departure departure; // package-private for tests
  private final LineConsent consent;
  private final KeyPad keys;
  final TimeLimits limits; // package-private for tests
  private final EngineLink engine;
  private final CallLife life;
  private ModelReply.Usage usage = ModelReply.Usage.NONE;

  /// The common parts of calls.
  ///
  /// @param onEnd runs once when the call has ended, on its thread
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
    CallSettings settings = parts.settings();
    CallRecord record =
        new CallRecord(parts.recorder(), new PressedKeys(settings.is(Flag.LOG_KEYS)));
    call = new CallContext(arrival.id(), settings, parts.carrier(), parts.time(), record, mailbox);
    intake = new Intake(mailbox, parts.time(), this::flooded);
    journal =
        new CallJournal(
            mailbox.writer(),
            mailbox.workers(),
            step -> mailbox.post(new CallEvent.Then(step)),
            () -> failed("store"));
    figures = new TurnFigures(call);
    playout = new Playout(call);
    told = new EngineSide();
    voice = new Voice(call, playout, told, figures, journal, new OfVoice());
    greeting = new Greeting(call, voice, told, journal);
    life = new CallLife(call, voice, this::returned, this::ended);
    talk = new Talk(call, voice, told, journal, new OfTalk());
    departure = new Departure(call, life, voice, talk, journal);
    consent = new LineConsent(call, voice, talk, journal);
    limits = new TimeLimits(call, life, voice, talk, journal);
    keys = new KeyPad(call, talk, consent, limits);
    engine = new EngineLink(call, parts.engine(), life, voice, talk, journal, intake);
  }

  /// Starts an incoming call, on its own thread.
  public static CallSession start(Carrier.Arrival arrival, Parts parts) {
    Mailbox mailbox = new Mailbox();
    CallSession session = new CallSession(arrival, parts, mailbox);
    mailbox.post(new CallEvent.Then(session::ring));
    mailbox.start("call " + arrival.id(), session::on);
    return session;
  }

  /// Adds an event of the carrier.
  public void tell(CarrierEvent event) {
    if (event instanceof CarrierEvent.Heard heard) {
      engine.hear(heard.audio());
    } else {
      intake.add(event);
    }
  }

  /// Ends the call with a goodbye, because the process stops or an operator ends it.
  public void goodbye(String why) {
    mailbox.post(
        new CallEvent.Then(() -> {
          life.letGo();
          limits.goodbye(why);
        }));
  }

  /// Runs that once the conversation of the call, which may end after the call, has ended.
  public void whenReleased(Runnable step) {
    var unused = journal.released().thenRun(step);
  }

  /// The carrier's id of the call.
  public String id() {
    return arrival.id();
  }

  /// Who called which number.
  public Carrier.Arrival arrival() {
    return arrival;
  }

  void on(CallEvent event) {
    switch (event) {
      case CallEvent.OfCarrier(CarrierEvent of) -> carrier(of);
      case CallEvent.OfEngine(int session, EngineEvent of, long at) -> {
        if (of instanceof EngineEvent.Audio audio) {
          intake.taken(audio);
        }
        if (engine.isOpen(session) && !call.isEnded()) {
          engine(of, at);
        }
      }
      case CallEvent.OfTools(var of) -> talk.tool(of);
      case CallEvent.Then(Runnable step) -> step.run();
    }
  }

  // Life cycle.

  void ring() {
    CallSettings settings = parts.settings();
    List<Tool> own =
        new SystemTools(settings.transfer(), this::departing).of(settings.systemTools());
    ConversationOptions options =
        CallRow.options(arrival, parts.time(), settings.callersRemembered())
            .withTools(own.toArray(Tool[]::new));
    call.note("ringing", Codec.object());
    journal.open(
        () -> CallRow.open(arrival, parts.agent(), options, intake::add),
        live -> {
          live.limitCalls(limits::deadline);
          return Objects.requireNonNullElse(live.firstMessage(), "");
        },
        greeting::words);
    journal.read(EngineLink::setup, engine::prepare);
    talk.ringing(TurnInput.ringing(id()));
    limits.begin();
  }

  /// More events arrived than a call can need.
  private void flooded(String code) {
    engine.close();
    life.fail(code);
  }

  // Events of the carrier.

  private void carrier(CarrierEvent event) {
    if (call.isEnded()) {
      return;
    }
    switch (event) {
      case CarrierEvent.Connected(var line) -> connected(line);
      case CarrierEvent.Heard heard -> {}
      case CarrierEvent.Played(String mark) -> voice.played(mark);
      case CarrierEvent.Pressed(char key) -> keys.pressed(key);
      case CarrierEvent.Disconnected gone -> {
        playout.disconnect();
        life.disconnected();
        if (!call.isEnded()) {
          engine.close();
        }
      }
      case CarrierEvent.Status(String status) -> {
        call.note("status", Codec.object().put("status", status));
        life.status(status);
      }
      case CarrierEvent.Dialed(String status) -> {
        call.note("dialed", Codec.object().put("status", status));
        departure.dialed(status);
      }
    }
  }

  private void connected(Line line) {
    playout.connect(line, voice::heardMore);
    call.note("connected", Codec.object());
    if (life.connected()) {
      back();
    } else {
      engine.open();
    }
  }

  /// The caller is back from a failed transfer.
  private void back() {
    String status = departure.back();
    engine.reopen(() ->
        talk.news("The transfer failed (" + status + "); the caller is back on the line.", false));
  }

  // Events of the engine.

  private void engine(EngineEvent event, long at) {
    switch (event) {
      case EngineEvent.Ready ready -> ready();
      case EngineEvent.SpeechStarted started -> {
        limits.active();
        departure.speechStarted();
        voice.speechStarted(at);
        departure.heard();
      }
      case EngineEvent.SpeechStopped stopped -> limits.active();
      case EngineEvent.Committed(String item) -> {
        voice.speechEnded();
        talk.committed(item);
      }
      case EngineEvent.Transcribed(String item, String text) ->
          talk.transcription().arrived(item, text);
      case EngineEvent.Created(String response, String request) -> voice.created(response, request);
      case EngineEvent.Audio audio -> voice.audio(audio);
      case EngineEvent.Words words -> voice.words(words);
      case EngineEvent.Spoken words -> voice.spoken(words);
      case EngineEvent.Called called -> voice.called(called);
      case EngineEvent.Done done -> done(done);
      case EngineEvent.Refused refused -> {
        call.note("error", Codec.object().put("code", refused.code()));
        voice.requests().refused(refused);
      }
      case EngineEvent.Lost(boolean fatal, String code, String message) -> engine.lost(fatal, code);
    }
  }

  private void ready() {
    limits.active();
    engine.ready();
    life.talking();
    greeting.say();
    voice.requests().ready();
  }

  private void done(EngineEvent.Done done) {
    usage = usage.plus(done.usage());
    voice.done(done);
  }

  // The end.

  private void ended(String why) {
    keys.over();
    departure.over();
    consent.over();
    if (!departure.isAccepted()) {
      engine.close();
    }
    playout.close(1000, "the call is over");
    figures.tell(talk.turn());
    call.silenceAlarms();
    // The carrier's answer is the result of a call that is about to end.
    Duration patience = departure.isAccepted() ? SETTLING : Duration.ZERO;
    // An accepted transfer or end has already called the tools that are required before it.
    journal.close(patience, !departure.isAccepted(), why, unmet -> over(why, unmet));
  }

  private void over(String why, List<String> unmet) {
    if (!unmet.isEmpty()) {
      ObjectNode left = Codec.object();
      unmet.forEach(left.putArray("unmet")::add);
      call.note("unmet", left);
    }
    // An accepted end has sent its output by now.
    engine.close();
    call.record().ended(why, usage);
    parts.onEnd().accept(this);
    journal.whenSettled(mailbox::close);
  }

  // What its parts report.

  private void failed(String code) {
    life.fail(code);
  }

  /// The caller is back from a transfer, or was never let go.
  private void returned() {
    limits.resume();
  }

  private void departing(DepartureRequest request) {
    mailbox.post(new CallEvent.Then(() -> departure.asked(request)));
  }

  private final class OfVoice implements SpeechWatcher {
    @Override
    public int turn() {
      return talk.turn();
    }

    @Override
    public void sounds(Wanted response) {
      consent.sounds(response);
    }

    @Override
    public void heard() {
      departure.heard();
      limits.heard();
    }

    @Override
    public void cut(Spoken reply) {
      talk.heard(reply);
    }

    @Override
    public void ended(Spoken response, EngineEvent.Status status, ModelReply.Usage tokens) {
      if (!response.wanted.aside()) {
        talk.replied(response, status, tokens);
      }
      if (response.wanted.kind() == Kind.FAREWELL) {
        departure.farewellSent();
      }
    }

    @Override
    public void refused(Wanted wanted, String code) {
      if (wanted.aside()) {
        return;
      }
      if (wanted.kind() == Kind.FAREWELL) {
        departure.farewellSent();
      }
      talk.refused(code);
    }
  }

  private final class OfTalk implements TurnWatcher {
    @Override
    public void active() {
      limits.active();
    }

    @Override
    public void consent(String request, Instant until) {
      consent.asked(request, until);
    }

    @Override
    public void unhurried(String id) {
      limits.unhurried(id);
    }

    @Override
    public void roundEnded() {
      limits.roundEnded();
    }
  }

  /// Whether it has ended, or is about to, for tests.
  boolean isOver() {
    return call.isOver();
  }

  /// Whether no one speaks, and nothing runs or waits to be spoken.
  boolean isIdle() {
    return voice.requests().isIdle() && !talk.isAtWork();
  }
}
