package dev.switchboard.phone.call;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.PlayoutLedger.Pace;
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
  private final EventLimiter limiter;
  private final TurnFigures figures;
  final Playout playout; // package-private for tests
  private final EngineRequests engineRequests;
  private final ResponsePlayer player;
  private final CallJournal journal;
  private final CallTurns turns;
  private final Greeting greeting;
  final TransferOrHangup exit; // package-private for tests
  private final LineConsent consent;
  private final KeyPad keys;
  private final TextCaller caller;
  private final CallersTurn callersTurn;
  final TimeLimits limits; // package-private for tests
  private final EngineLink engine;
  private final CallLifecycle lifecycle;
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
        new CallRecord(parts.recorder(), new DtmfRedactor(settings.is(Flag.LOG_KEYS)));
    call = new CallContext(arrival.id(), settings, parts.carrier(), parts.time(), record, mailbox);
    limiter = new EventLimiter(mailbox, parts.time(), this::flooded);
    journal =
        new CallJournal(
            mailbox.writer(),
            mailbox.workers(),
            step -> mailbox.post(new CallEvent.Then(step)),
            () -> failed("store"));
    figures = new TurnFigures(call);
    playout = new Playout(call, Pace.of(parts.engine().medium()));
    engineRequests = new EngineRequests(parts.engine().conversation(), journal);
    player = new ResponsePlayer(call, playout, engineRequests, figures, journal, new OnSpeech());
    greeting = new Greeting(call, player, engineRequests, journal);
    lifecycle = new CallLifecycle(call, player, this::returned, this::ended);
    turns = new CallTurns(call, player, engineRequests, journal, new OnTurns());
    exit = new TransferOrHangup(call, lifecycle, player, turns, journal);
    consent = new LineConsent(call, player, turns, journal);
    limits = new TimeLimits(call, lifecycle, player, turns, journal);
    keys = new KeyPad(call, turns, consent, limits);
    caller = new TextCaller(call, limits, player, turns, exit);
    callersTurn = new CallersTurn(call, player, turns, journal, keys);
    engine = new EngineLink(call, parts.engine(), lifecycle, player, turns, journal, limiter);
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
  public void post(CarrierEvent event) {
    if (event instanceof CarrierEvent.Heard heard) {
      engine.send(heard.audio());
    } else {
      limiter.add(event);
    }
  }

  /// Ends the call with a goodbye, because the process stops or an operator ends it.
  public void goodbye(String why) {
    mailbox.post(
        new CallEvent.Then(() -> {
          lifecycle.endIfTransferred();
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

  /// Runs that step once, when the call goes on with what the caller says or presses next.
  public void whenCallersTurn(Runnable step) {
    mailbox.post(new CallEvent.Then(() -> callersTurn.await(step)));
  }

  void on(CallEvent event) {
    switch (event) {
      case CallEvent.FromCarrier(CarrierEvent sent) -> carrier(sent);
      case CallEvent.FromEngine(int session, EngineEvent sent, long at) -> {
        if (sent instanceof EngineEvent.Audio audio) {
          limiter.release(audio);
        }
        if (engine.isOpen(session) && !call.isEnded()) {
          engine(sent, at);
        }
      }
      case CallEvent.FromTools(var sent) -> turns.event(sent);
      case CallEvent.Then(Runnable step) -> step.run();
    }
    callersTurn.check();
  }

  void ring() {
    CallSettings settings = parts.settings();
    List<Tool> own =
        new SystemTools(settings.transfer(), this::requestExit).of(settings.systemTools());
    ConversationOptions options =
        CallRow.options(arrival, parts.time(), settings, engineRequests.isOfAgent())
            .withTools(own.toArray(Tool[]::new));
    call.note("ringing", Codec.object());
    journal.open(
        () -> CallRow.open(arrival, parts.agent(), options, limiter::add),
        live -> {
          live.limitCalls(limits::deadline);
          return Objects.requireNonNullElse(live.firstMessage(), "");
        },
        greeting::words);
    journal.read(EngineLink::setup, engine::prepare);
    turns.ringing(TurnInput.ringing(id()));
    limits.begin();
  }

  /// More events arrived than a call can need.
  private void flooded(String code) {
    engine.close();
    lifecycle.fail(code);
  }

  private void carrier(CarrierEvent event) {
    if (call.isEnded()) {
      return;
    }
    switch (event) {
      case CarrierEvent.Connected(var line) -> connected(line);
      case CarrierEvent.Heard heard -> {}
      case CarrierEvent.Played(String mark) -> player.played(mark);
      case CarrierEvent.Prompted prompted -> caller.prompted(prompted);
      case CarrierEvent.Interrupted interrupted -> caller.interrupted(interrupted);
      case CarrierEvent.Sounding sounding -> caller.sounding(sounding);
      case CarrierEvent.Pressed(char key) -> keys.pressed(key);
      case CarrierEvent.Disconnected gone -> {
        playout.disconnect();
        lifecycle.disconnected();
        if (!call.isEnded()) {
          engine.close();
        }
      }
      case CarrierEvent.Status(String status) -> {
        call.note("status", Codec.object().put("status", status));
        lifecycle.status(status);
      }
      case CarrierEvent.Dialed(String status) -> {
        call.note("dialed", Codec.object().put("status", status));
        exit.dialed(status);
      }
    }
  }

  private void connected(Line line) {
    playout.connect(line, player::heardMore);
    call.note("connected", Codec.object());
    if (lifecycle.connected()) {
      back();
    } else {
      engine.open();
    }
  }

  /// The caller is back from a failed transfer.
  private void back() {
    String status = exit.callerIsBack();
    engine.reopen(() ->
        turns.news("The transfer failed (" + status + "); the caller is back on the line.", false));
  }

  // Events of the engine.

  private void engine(EngineEvent event, long at) {
    switch (event) {
      case EngineEvent.Ready ready -> ready();
      case EngineEvent.SpeechStarted started -> {
        limits.active();
        exit.speechStarted();
        player.speechStarted(at);
        exit.heard();
      }
      case EngineEvent.SpeechStopped stopped -> limits.active();
      case EngineEvent.Committed(String item, String words) -> {
        player.speechEnded();
        turns.committed(item, words);
      }
      case EngineEvent.Transcribed(String item, String text) ->
          turns.transcription().arrived(item, text);
      case EngineEvent.Created(String response, String request) ->
          player.created(response, request);
      case EngineEvent.Audio audio -> player.audio(audio);
      case EngineEvent.Text text -> player.text(text);
      case EngineEvent.Words words -> player.words(words);
      case EngineEvent.Spoken words -> player.spoken(words);
      case EngineEvent.Called called -> player.called(called);
      case EngineEvent.Done done -> done(done);
      case EngineEvent.Refused refused -> {
        call.note("error", Codec.object().put("code", refused.code()));
        player.requests().refused(refused);
      }
      case EngineEvent.Lost(boolean fatal, String code, String message) -> engine.lost(fatal, code);
    }
  }

  private void ready() {
    limits.active();
    engine.ready();
    lifecycle.talking();
    greeting.say();
    player.requests().ready();
  }

  private void done(EngineEvent.Done done) {
    usage = usage.plus(done.usage());
    player.done(done);
  }

  // The end.

  private void ended(String why) {
    keys.over();
    exit.over();
    consent.over();
    if (!exit.isAccepted()) {
      engine.close();
    }
    playout.close(1000, why);
    figures.report(turns.turn());
    call.silenceAlarms();
    // The carrier's answer is the result of a call that is about to end.
    Duration patience = exit.isAccepted() ? SETTLING : Duration.ZERO;
    // An accepted transfer or end has already called the tools that are required before it.
    journal.close(patience, !exit.isAccepted(), why, unmet -> over(why, unmet));
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

  private void failed(String code) {
    lifecycle.fail(code);
  }

  /// The caller is back from a transfer, or never left.
  private void returned() {
    limits.resume();
  }

  private void requestExit(TransferOrHangupRequest request) {
    mailbox.post(new CallEvent.Then(() -> exit.request(request)));
  }

  private final class OnSpeech implements SpeechWatcher {
    @Override
    public int turn() {
      return turns.turn();
    }

    @Override
    public void sounds(Wanted response) {
      consent.sounds(response);
    }

    @Override
    public void heard() {
      exit.heard();
      limits.heard();
    }

    @Override
    public void cut(SpokenResponse reply) {
      turns.heard(reply);
    }

    @Override
    public void ended(SpokenResponse response, EngineEvent.Status status, ModelReply.Usage tokens) {
      if (!response.wanted.aside()) {
        turns.replied(response, status, tokens);
      }
      if (response.wanted.kind() == Kind.FAREWELL) {
        exit.farewellSent();
      }
    }

    @Override
    public void refused(Wanted wanted, String code) {
      if (wanted.aside()) {
        return;
      }
      if (wanted.kind() == Kind.FAREWELL) {
        exit.farewellSent();
      }
      turns.refused(code);
    }
  }

  private final class OnTurns implements TurnWatcher {
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
    return player.requests().isIdle() && !turns.isAtWork();
  }
}
