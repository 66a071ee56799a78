package dev.switchboard.phone.call;

import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// What all parts of a call share: its settings, clock and alarms, its phase, its record, and the
/// orders to its carrier. It knows none of the parts.
///
/// For the actor's thread.
final class CallContext {
  private final String id;
  private final CallSettings settings;
  private final Carrier carrier;
  private final Time time;
  private final CallRecord record;
  private final Mailbox mailbox;
  private final Alarms alarms;
  private final long begun;
  private CallPhase phase = CallPhase.RINGING;
  private boolean connected;

  /// @param id the carrier's id of the call
  CallContext(
      String id,
      CallSettings settings,
      Carrier carrier,
      Time time,
      CallRecord record,
      Mailbox mailbox) {
    this.id = id;
    this.settings = settings;
    this.carrier = carrier;
    this.time = time;
    this.record = record;
    this.mailbox = mailbox;
    alarms = new Alarms(time, step -> mailbox.post(new CallEvent.Then(step)));
    begun = time.nanos();
  }

  String id() {
    return id;
  }

  CallSettings settings() {
    return settings;
  }

  CallRecord record() {
    return record;
  }

  /// Records an event.
  void note(String type, ObjectNode details) {
    record.note(type, details);
  }

  // The phase, which CallLifecycle sets.

  CallPhase phase() {
    return phase;
  }

  void enter(CallPhase next) {
    phase = next;
  }

  void connect(boolean now) {
    connected = now;
  }

  /// Whether the caller's audio is connected.
  boolean isConnected() {
    return connected;
  }

  /// Whether the call has ended, or is about to end or to be transferred.
  boolean isOver() {
    return phase.isOver();
  }

  boolean isEnded() {
    return phase == CallPhase.ENDED;
  }

  // Time.

  long nanos() {
    return time.nanos();
  }

  /// The time since the call began.
  Duration age() {
    return Duration.ofNanos(time.nanos() - begun);
  }

  /// The time until that moment.
  Duration until(Instant moment) {
    return Duration.between(time.now(), moment);
  }

  /// Runs that step after a delay, unless it is cancelled or the call has ended.
  Time.Alarm after(Duration wait, Runnable step) {
    return alarms.after(wait, step);
  }

  /// Ends all alarms: the call is over.
  void silenceAlarms() {
    alarms.over();
  }

  // The carrier.

  /// Sends an order to the carrier, concurrently.
  void order(Function<Carrier, Carrier.Answer> order, Consumer<Carrier.Answer> then) {
    mailbox
        .workers()
        .execute(() -> {
          Carrier.Answer answer = order.apply(carrier);
          mailbox.post(new CallEvent.Then(() -> then.accept(answer)));
        });
  }
}
