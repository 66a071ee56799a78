package dev.switchboard.execution;

import dev.switchboard.attempt.End;
import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.tool.BreakerOptions;
import java.time.Duration;

/// A tool's circuit breaker: closed until calls in a row have failed, then open for a while, then
/// half-open for one probe.
///
/// Safe for use by several threads; guarded by `this` for a few lines at a time.
final class CircuitBreaker {
  /// What a call is answered while a probe is under way.
  private static final Duration PROBING = Duration.ofSeconds(1);

  private final BreakerOptions options;
  private int failures;
  private boolean open;
  private long openUntil;
  private boolean probing;
  // Grows with every opening and closing, so that a call from before does not speak for the time
  // after.
  private int era;

  CircuitBreaker(BreakerOptions options) {
    this.options = options;
  }

  /// Whether a call may go through.
  sealed interface Decision {}

  /// It may, and says afterwards how it did.
  record Permit(int era, boolean probe) implements Decision {}

  /// It may not.
  record Open(Duration retryAfter) implements Decision {}

  synchronized Decision acquire(long now) {
    if (!open) {
      return new Permit(era, false);
    }
    if (now - openUntil < 0) {
      return new Open(Duration.ofNanos(openUntil - now));
    }
    if (probing) {
      return new Open(PROBING.compareTo(options.cooldown()) < 0 ? PROBING : options.cooldown());
    }
    probing = true;
    return new Permit(era, true);
  }

  synchronized void record(Permit permit, End.Health health, long now) {
    if (permit.era != era || options.failureThreshold() == 0) {
      return;
    }
    if (permit.probe) {
      probing = false;
    }
    switch (health) {
      case ANSWERED -> close();
      case FAILED -> fail(permit, now);
      case UNKNOWN -> {}
    }
  }

  /// Closes it; a probe that is under way says nothing any more.
  synchronized void reset() {
    probing = false;
    close();
  }

  private void close() {
    failures = 0;
    if (open) {
      open = false;
      era++;
    }
  }

  private void fail(Permit permit, long now) {
    failures++;
    if (permit.probe || failures >= options.failureThreshold()) {
      open = true;
      openUntil = now + options.cooldown().toNanos();
      era++;
    }
  }

  synchronized BreakerState state(long now) {
    if (!open) {
      return new BreakerState(BreakerState.Position.CLOSED, failures, Duration.ZERO);
    }
    long left = Math.max(0, openUntil - now);
    return new BreakerState(
        left > 0 ? BreakerState.Position.OPEN : BreakerState.Position.HALF_OPEN,
        failures,
        Duration.ofNanos(left));
  }
}
