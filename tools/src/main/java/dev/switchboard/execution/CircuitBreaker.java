package dev.switchboard.execution;

import dev.switchboard.attempt.End;
import dev.switchboard.handler.ToolException;
import dev.switchboard.time.Time;
import dev.switchboard.tool.BreakerOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A tool's circuit breaker: closed until calls in a row have failed, then open for a while, then
/// half-open for one probe.
///
/// Thread-safe; guarded by `this` for a few lines at a time.
final class CircuitBreaker {
  /// The retry hint of calls during a probe.
  private static final Duration PROBING = Duration.ofSeconds(1);

  private final BreakerOptions options;
  private int failures;
  private boolean open;
  private long openUntil;
  private boolean probing;
  // Grows with every opening and closing, so that earlier calls do not count later.
  private int era;
  private Permit usual = new Permit(0, false); // of this era

  CircuitBreaker(BreakerOptions options) {
    this.options = options;
  }

  /// Whether a call may go through.
  sealed interface Decision {}

  /// It may; its outcome is recorded under this permit.
  record Permit(int era, boolean probe) implements Decision {}

  /// It may not.
  record Open(Duration retryAfter) implements Decision {}

  /// @param time read only while it is open
  synchronized Decision acquire(Time time) {
    if (!open) {
      return usual;
    }
    long now = time.nanos();
    if (now - openUntil < 0) {
      return new Open(Duration.ofNanos(openUntil - now));
    }
    if (probing) {
      return new Open(PROBING.compareTo(options.cooldown()) < 0 ? PROBING : options.cooldown());
    }
    probing = true;
    return new Permit(era, true);
  }

  /// Counts how a call ended.
  ///
  /// @param end of its attempts, null where it says nothing of the tool: it was refused after all,
  ///   or an internal error ended it
  synchronized void record(Permit permit, @Nullable End end, Time time) {
    if (permit.era != era || options.failureThreshold() == 0) {
      return;
    }
    if (permit.probe) {
      probing = false;
    }
    switch (end) {
      case End.Answered answered -> close();
      case End.TimedOut late -> fail(permit, time.nanos());
      // The tool has refused.
      case End.Failed failed when failed.kind() == ToolException.Kind.PERMANENT -> close();
      case End.Failed failed when failed.code().countsForBreaker() -> fail(permit, time.nanos());
      case End.Failed failed -> {}
      case End.Cancelled cancelled -> {}
      case null -> {}
    }
  }

  /// Closes it; a running probe no longer counts.
  synchronized void reset() {
    probing = false;
    close();
  }

  private void close() {
    failures = 0;
    if (open) {
      open = false;
      nextEra();
    }
  }

  private void fail(Permit permit, long now) {
    failures++;
    if (permit.probe || failures >= options.failureThreshold()) {
      open = true;
      openUntil = now + options.cooldown().toNanos();
      nextEra();
    }
  }

  private void nextEra() {
    era++;
    usual = new Permit(era, false);
  }

  /// Its state.
  ///
  /// @param left until a call may probe, null while it is closed
  record State(int failures, @Nullable Duration left) {}

  synchronized State state(long now) {
    return new State(failures, open ? Duration.ofNanos(Math.max(0, openUntil - now)) : null);
  }
}
