package dev.switchboard.phone.call;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.config.PhoneSettings.Flag;
import dev.switchboard.config.PhoneSettings.Phrase;
import dev.switchboard.guard.Screen;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.model.ModelReply;
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
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One call, from its first ring to its end: an actor that handles one event of its mailbox at a
/// time and never blocks. Tools, orders to the carrier and writes to the store run on other
/// threads; their results arrive as events.
///
/// Thread-safe: other threads put events into the mailbox.
public final class CallSession {
  private static final Set<String> OUTCOMES = Set.of("busy", "no-answer", "canceled");
  private static final Duration SETTLING = Duration.ofSeconds(2);

  private final Carrier.Arrival arrival;
  private final Parts parts;
  private final Mailbox mailbox;
  private final Alarms alarms;
  private final CallRecord record;
  private final Intake intake;
  private final TurnFigures figures;
  private final Playout playout;
  private final EngineSide told;
  private final Voice voice;
  private final CallJournal journal;
  private final Talk talk;
  private final Departure departure;
  private final LineConsent consent;
  private final KeyPad keys;
  private final TimeLimits limits;
  private final EngineLink engine;
  private final CallLife life;
  private boolean greeted;
  private String greeting = ""; // the first message for this caller
  private ModelReply.Usage usage = ModelReply.Usage.NONE;
  private @Nullable String failedTransfer; // its outcome, until the caller is back

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
    alarms = new Alarms(parts.time(), step -> mailbox.post(new CallEvent.Then(step)));
    record = new CallRecord(parts.recorder(), new PressedKeys(parts.settings().is(Flag.LOG_KEYS)));
    intake = new Intake(mailbox, parts.time(), this::flooded);
    figures = new TurnFigures(this);
    playout = new Playout(this);
    told = new EngineSide();
    voice = new Voice(this, playout, told);
    life = new CallLife(this, voice, this::ended);
    journal =
        new CallJournal(
            mailbox.writer(),
            mailbox.workers(),
            step -> mailbox.post(new CallEvent.Then(step)),
            () -> life.fail("store"));
    talk = new Talk(this, voice, told, journal);
    departure = new Departure(this, voice, talk, journal);
    consent = new LineConsent(this, voice, talk, journal);
    keys = new KeyPad(this, talk, consent);
    limits = new TimeLimits(this, voice, talk, journal);
    engine =
        new EngineLink(
            this, parts.engine(), voice, journal, (event, session) -> intake.add(session, event));
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
        if (engine.isOpen(session) && !life.isEnded()) {
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
    note("ringing", Codec.object());
    journal.open(
        () -> CallRow.open(arrival, parts.agent(), options, intake::add),
        live -> {
          live.limitCalls(limits::deadline);
          return Objects.requireNonNullElse(live.firstMessage(), "");
        },
        first -> greeting = first);
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
    if (life.isEnded()) {
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
        if (!life.isEnded()) {
          engine.close();
        }
      }
      case CarrierEvent.Status(String status) -> {
        note("status", Codec.object().put("status", status));
        life.status(status);
      }
      case CarrierEvent.Dialed(String status) -> {
        note("dialed", Codec.object().put("status", status));
        dialed(status);
      }
    }
  }

  private void connected(Line line) {
    playout.connect(line, voice::heardMore);
    note("connected", Codec.object());
    if (life.connected()) {
      back();
    } else {
      engine.open();
    }
  }

  private void dialed(String status) {
    if (status.equals("completed")) {
      life.transferred();
    } else {
      // The model reads it as words of the runtime.
      failedTransfer = OUTCOMES.contains(status) ? status : "failed";
    }
  }

  /// The caller is back from a failed transfer.
  private void back() {
    departure.back();
    String status = failedTransfer == null ? "failed" : failedTransfer;
    failedTransfer = null;
    engine.reopen(() ->
        talk.news("The transfer failed (" + status + "); the caller is back on the line.", false));
  }

  // Events of the engine.

  private void engine(EngineEvent event, long at) {
    switch (event) {
      case EngineEvent.Ready ready -> ready();
      case EngineEvent.SpeechStarted started -> {
        active();
        departure.speechStarted();
        voice.speechStarted(at);
        departure.heard();
      }
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
      case EngineEvent.Lost(boolean fatal, String code, String message) -> engine.lost(fatal, code);
    }
  }

  private void ready() {
    active();
    engine.ready();
    life.talking();
    if (!greeted) {
      greeted = true;
      greet();
    }
    voice.ready();
  }

  private void greet() {
    voice.say(Kind.DISCLOSURE, settings().words().of(Phrase.DISCLOSURE), false);
    if (!greeting.isEmpty()) {
      told.add(Engine.Role.ASSISTANT, greeting);
      voice.say(Kind.FIRST_MESSAGE, greeting, false);
      journal.greeted(greeting);
    }
  }

  private void done(EngineEvent.Done done) {
    Spoken of = voice.done(done.response());
    usage = usage.plus(done.usage());
    if (of != null) {
      ended(of, done.status(), String.valueOf(done.reason()), done.usage());
    }
    voice.pump();
  }

  /// A response has ended, or was given up.
  ///
  /// @param reason why it was not completed
  void ended(Spoken of, EngineEvent.Status status, String reason, ModelReply.Usage tokens) {
    if (status == EngineEvent.Status.FAILED) {
      failed(of.wanted, reason);
    }
    if (!of.wanted.aside()) {
      talk.replied(of, status, tokens);
    }
    if (of.wanted.kind() == Kind.FAREWELL) {
      departure.farewellSent();
    }
  }

  /// A response was refused permanently, or never began.
  void refused(Wanted wanted, String code) {
    failed(wanted, code);
    if (!wanted.aside()) {
      talk.refused(code);
    }
  }

  private void failed(Wanted wanted, String code) {
    note("response_failed", Codec.object().put("code", code));
    if (wanted.aside()) {
      return;
    }
    if (wanted.kind() == Kind.FAREWELL) {
      departure.farewellSent();
    } else {
      voice.say(Kind.NOTICE, parts.settings().words().of(Phrase.FAILED), false);
    }
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
    figures.tell(turn());
    alarms.over();
    // The carrier's answer is the result of a call that is about to end.
    Duration patience = departure.isAccepted() ? SETTLING : Duration.ZERO;
    // An accepted transfer or end has already called the tools that are required before it.
    journal.close(patience, !departure.isAccepted(), why, unmet -> over(why, unmet));
  }

  private void over(String why, List<String> unmet) {
    if (!unmet.isEmpty()) {
      ObjectNode left = Codec.object();
      unmet.forEach(left.putArray("unmet")::add);
      note("unmet", left);
    }
    // An accepted end has sent its output by now.
    engine.close();
    record.ended(why, usage);
    parts.onEnd().accept(this);
    journal.whenSettled(mailbox::close);
  }

  // Services for its parts.

  CallLife life() {
    return life;
  }

  Playout playout() {
    return playout;
  }

  TurnFigures figures() {
    return figures;
  }

  /// The caller begins to hear a response.
  void sounds(Wanted response) {
    figures.sounds(response.kind());
    consent.sounds(response);
  }

  /// How much of the agent's audio was dropped since the last call because it came too fast, in
  /// milliseconds.
  long droppedSpeech() {
    return intake.dropped();
  }

  /// The engine's session ends, with its state of tool calls.
  void sessionEnds() {
    talk.sessionEnds();
  }

  /// The number of the turn.
  int turn() {
    return talk.turn();
  }

  /// Whether no one speaks, and nothing runs or waits to be spoken.
  boolean isIdle() {
    return voice.isIdle() && !talk.isAtWork();
  }

  /// The caller has interrupted the agent.
  void interrupted() {
    note("interrupted", Codec.object());
    journal.interrupted();
  }

  /// The caller did not hear a reply completely.
  void cut(Spoken reply) {
    talk.heard(reply);
  }

  /// The caller has heard more of the agent.
  void heard() {
    departure.heard();
    limits.heard();
  }

  /// The caller is active, or something else happened that is spoken about.
  void active() {
    limits.active();
  }

  TimeLimits limits() {
    return limits;
  }

  Duration age() {
    return limits.age();
  }

  CallSettings settings() {
    return parts.settings();
  }

  private void departing(Departure.Request request) {
    mailbox.post(new CallEvent.Then(() -> departure.asked(request)));
  }

  /// Sends an order to the carrier, concurrently.
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

  /// Records an event.
  void note(String type, ObjectNode details) {
    record.note(type, details);
  }

  /// The screen for a reply's words, null if no guardrail checks them.
  @Nullable Screen screen() {
    return journal.screen();
  }

  /// Runs the slow guardrails on spoken words.
  void judge(String words, Consumer<String> then) {
    journal.judge(words, then);
  }

  CallRecord record() {
    return record;
  }

  long nanos() {
    return parts.time().nanos();
  }

  /// The time until that moment.
  Duration until(Instant moment) {
    return Duration.between(parts.time().now(), moment);
  }

  /// Runs that step after a delay, unless it is cancelled or the call has ended.
  Time.Alarm after(Duration wait, Runnable step) {
    return alarms.after(wait, step);
  }
}
