package dev.switchboard.execution;

import dev.switchboard.attempt.End;
import dev.switchboard.execution.CircuitBreaker.Permit;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.ruling.Decision;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The places of calls under breakers and rules: taken before a call runs, released at its end.
/// Each tool has a breaker; a replacing tool gets a new one.
///
/// Thread-safe.
final class Reservations {
  // For a call without an end because of an internal error: for the rules it has failed.
  private static final ToolResult CUT_SHORT = ToolResult.error("cut short");
  private static final Duration LEAST = Duration.ofMillis(250);

  private final RuleBook book;
  private final Time time;
  private final Map<String, ToolBreaker> byName = new ConcurrentHashMap<>();

  private record ToolBreaker(Tool tool, CircuitBreaker breaker) {}

  Reservations(RuleBook book, Time time) {
    this.book = book;
    this.time = time;
  }

  /// The breaker of that tool.
  CircuitBreaker breaker(Tool tool) {
    ToolBreaker known = byName.get(tool.name());
    if (known == null || known.tool != tool) {
      known = byName.compute(tool.name(), (name, current) -> renewed(tool, current));
    }
    return known.breaker;
  }

  private static ToolBreaker renewed(Tool tool, @Nullable ToolBreaker current) {
    return current != null && current.tool == tool
        ? current
        : new ToolBreaker(tool, new CircuitBreaker(tool.options().breaker()));
  }

  /// Takes a place for a call; refused if its breaker is open or its rules have none left.
  @Nullable ToolResult reserve(Call call) {
    CircuitBreaker breaker = breaker(call.tool());
    boolean uncounted = leavesNoTrace(call);
    return switch (breaker.acquire(time)) {
      case CircuitBreaker.Open(var retryAfter) -> Refusal.circuitOpen(call.call(), retryAfter);
      case Permit permit when uncounted -> {
        call.reserved(new Reservation(breaker, permit, null));
        yield null;
      }
      case Permit permit -> count(call, breaker, permit);
    };
  }

  /// Whether nothing is counted or stored of a call before it is settled.
  private static boolean leavesNoTrace(Call call) {
    return call.compiled().isFree() && !call.session().isStored();
  }

  private @Nullable ToolResult count(Call call, CircuitBreaker breaker, Permit permit) {
    boolean starts = false;
    try {
      CommonStart.Start start =
          call.session().store().within(call.tool().options().deadline(), () -> started(call));
      starts = start.decision() instanceof Decision.Allowed && !start.begunBefore();
      if (start.begunBefore()) {
        return Refusal.outcomeUnknown(call.call());
      }
      return switch (start.decision()) {
        case Decision.Allowed allowed -> {
          call.reserved(new Reservation(breaker, permit, start));
          yield null;
        }
        case Decision.Denied denied -> call.denied(denied);
      };
    } finally {
      if (!starts) {
        // Whatever fails, a probe releases its place.
        breaker.record(permit, null, time);
      }
    }
  }

  /// Counts the start if the rules allow it, and stores what must precede it.
  private CommonStart.Start started(Call call) {
    CommonStart.Start start = book.reserve(call.checks(), call.call(), call.once(), call.session());
    call.session().store().lines();
    return start;
  }

  /// Releases the place, and stores the call's result with its end.
  ///
  /// @param end of its attempts, null after an internal error
  void end(Call call, @Nullable End end) {
    Reservation place = call.reservation();
    place.breaker().record(place.permit(), end, time);
    if (place.start() != null) {
      store(call, place.start(), end != null);
    }
  }

  /// @param ended whether its attempts have ended without an internal error
  private void store(Call call, CommonStart.Start start, boolean ended) {
    Runnable counting =
        () -> {
          if (call.startIsVoid()) {
            book.withdraw(start, call.checks(), call.call(), call.session());
          } else {
            counted(call, ended ? call.finished() : CUT_SHORT);
          }
        };
    patiently(
        call,
        call.tool().options().deadline().minus(call.took()),
        ended ? () -> call.storeWithEnd(counting) : counting);
  }

  private void counted(Call call, ToolResult result) {
    book.ended(call.checks(), call.call(), call.session(), result, call.outerCall() == null);
  }

  /// Counts the end of a call that a dead process had begun, and stores its result with it.
  void endOfBegun(Call call) {
    patiently(
        call,
        ToolOptions.DEFAULT_TIMEOUT,
        () -> call.storeWithEnd(() -> counted(call, call.finished())));
  }

  /// Stores a call's outcome within the remaining time.
  private static void patiently(Call call, Duration left, Runnable storing) {
    call.session()
        .store()
        .within(
            left.compareTo(LEAST) < 0 ? LEAST : left,
            () -> {
              storing.run();
              return call;
            });
  }
}
