package dev.switchboard.phone.call;

import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Adds external events to a call's mailbox, with limits.
///
/// The agent's audio is dropped while four minutes of it wait. For other events, the carrier and
/// the engine each have a burst and a rate in bytes, far more than a call needs; the first event
/// beyond that ends the call. Progress of tools is dropped beyond its limit, results are not.
///
/// Thread-safe.
final class EventLimiter {
  private static final int MOST_AUDIO = 240_000 * PlayoutLedger.BYTES_PER_MS;
  private static final int OVERHEAD = 160; // bytes for each waiting piece of audio
  private static final int LEAST = 500; // bytes that any other event counts at least
  private static final int RESERVE = 100 * LEAST; // for the end of a call

  private final Mailbox mailbox;
  private final Time time;
  private final Consumer<String> flooded;
  private final Allowance carrierAllowance;
  private final Allowance engineAllowance;
  private final Allowance toolsAllowance;
  private final AtomicLong audio = new AtomicLong(); // bytes that wait
  private final AtomicLong dropped = new AtomicLong(); // bytes

  /// @param flooded the actor's step when a limit is exceeded; it receives a code for the event
  ///   `failed`
  EventLimiter(Mailbox mailbox, Time time, Consumer<String> flooded) {
    this.mailbox = mailbox;
    this.time = time;
    this.flooded = flooded;
    carrierAllowance = new Allowance(4 << 20, 64 << 10);
    engineAllowance = new Allowance(8 << 20, 128 << 10);
    toolsAllowance = new Allowance(4 << 20, 64 << 10);
  }

  void add(CarrierEvent event) {
    boolean ends =
        event instanceof CarrierEvent.Disconnected || event instanceof CarrierEvent.Status;
    if (carrierAllowance.take(LEAST + length(event), ends ? 0 : RESERVE)) {
      mailbox.post(new CallEvent.FromCarrier(event));
    } else {
      flooded(carrierAllowance, "carrier_flood");
    }
  }

  /// The length of the texts of an event that may be long.
  private static int length(CarrierEvent event) {
    return switch (event) {
      case CarrierEvent.Played(String mark) -> mark.length();
      case CarrierEvent.Prompted(String words, var language, var last) -> words.length();
      case CarrierEvent.Interrupted(String heard, var milliseconds) -> heard.length();
      case CarrierEvent.Connected connected -> 0;
      case CarrierEvent.Dialed dialed -> 0;
      case CarrierEvent.Disconnected disconnected -> 0;
      case CarrierEvent.Heard heard -> 0;
      case CarrierEvent.Pressed pressed -> 0;
      case CarrierEvent.Sounding sounding -> 0;
      case CarrierEvent.Status status -> 0;
    };
  }

  /// @param session the number of the engine's session
  void add(int session, EngineEvent event) {
    if (event instanceof EngineEvent.Audio sound) {
      if (audio.addAndGet(cost(sound)) > MOST_AUDIO) {
        release(sound);
        dropped.addAndGet(sound.audio().length);
        return;
      }
    } else if (!engineAllowance.take(LEAST + length(event), 0)) {
      flooded(engineAllowance, "engine_flood");
      return;
    }
    mailbox.post(new CallEvent.FromEngine(session, event, time.nanos()));
  }

  /// The length of the texts of an event that may be long.
  private static int length(EngineEvent event) {
    return switch (event) {
      case EngineEvent.Words(var response, var item, String delta) -> delta.length();
      case EngineEvent.Spoken(var response, var item, String text) -> text.length();
      case EngineEvent.Transcribed(var item, var text) -> text == null ? 0 : text.length();
      case EngineEvent.Called(var response, var item, RequestedCall call) ->
          call.name().length() + call.arguments().text().length();
      case EngineEvent.Refused(var request, var code, String message) -> message.length();
      case EngineEvent.Text(var response, var item, String words) -> words.length();
      case EngineEvent.Done done -> 0;
      case EngineEvent.Audio sound -> 0;
      case EngineEvent.Committed(var item, var words) -> words == null ? 0 : words.length();
      case EngineEvent.Created created -> 0;
      case EngineEvent.Lost lost -> 0;
      case EngineEvent.Ready ready -> 0;
      case EngineEvent.SpeechStarted started -> 0;
      case EngineEvent.SpeechStopped stopped -> 0;
    };
  }

  private static int cost(EngineEvent.Audio sound) {
    return sound.audio().length + OVERHEAD;
  }

  void add(Event event) {
    boolean allowed =
        switch (event) {
          case Event.LoaderHint(var id, String hint, var after) ->
              toolsAllowance.take(LEAST + hint.length(), 0);
          case Event.Content(String content) -> toolsAllowance.take(LEAST + content.length(), 0);
          case Event.ToolCalled called -> true;
          case Event.ToolSettled settled -> true;
          case Event.AgentEvent agentEvent -> true;
          case Event.Failed failed -> true;
          case Event.BudgetExhausted exhausted -> true;
          case Event.Keepalive alive -> true;
          case Event.Done done -> true;
        };
    if (allowed) {
      mailbox.post(new CallEvent.FromTools(event));
    }
  }

  private void flooded(Allowance allowance, String code) {
    if (allowance.isFirstRefusal()) {
      mailbox.post(new CallEvent.Then(() -> flooded.accept(code)));
    }
  }

  /// Notes that this audio was taken from the mailbox.
  void release(EngineEvent.Audio sound) {
    audio.addAndGet(-cost(sound));
  }

  /// How much of the agent's audio was dropped since the last call, in milliseconds.
  long dropped() {
    return dropped.getAndSet(0) / PlayoutLedger.BYTES_PER_MS;
  }

  /// A rate limit in bytes with a burst.
  private final class Allowance {
    private final long most;
    private final long perSecond;
    private long left; // guarded by this
    private long at = time.nanos(); // guarded by this
    private boolean refused; // guarded by this

    Allowance(long most, long perSecond) {
      this.most = most;
      this.perSecond = perSecond;
      left = most;
    }

    /// Takes these bytes, if at least the rest remains.
    synchronized boolean take(int bytes, int rest) {
      long now = time.nanos();
      long back = (long) ((now - at) / 1e9 * perSecond);
      if (back > 0) {
        left = Math.min(most, left + back);
        at = now;
      }
      boolean enough = left >= (long) bytes + rest;
      left -= enough ? bytes : 0;
      return enough;
    }

    /// True only for the first call.
    synchronized boolean isFirstRefusal() {
      boolean first = !refused;
      refused = true;
      return first;
    }
  }
}
