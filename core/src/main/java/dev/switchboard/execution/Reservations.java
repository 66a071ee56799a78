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

/// The places of calls under their breakers and their rules: taken before a call runs, given back
/// when it has ended. Each tool has a breaker; one that replaces another starts with a new one.
///
/// Safe for use by several threads.
final class Reservations {
  // Of a call that a fault of ours has kept from its end: for the rules it has failed.
  private static final ToolResult CUT_SHORT = ToolResult.error("cut short");
  private static final Duration LEAST = Duration.ofMillis(250);

  private final RuleBook book;
  private final Time time;
  private final Map<String, Guarded> byName = new ConcurrentHashMap<>();

  private record Guarded(Tool tool, CircuitBreaker breaker) {}

  Reservations(RuleBook book, Time time) {
    this.book = book;
    this.time = time;
  }

  /// The breaker of that tool.
  CircuitBreaker breaker(Tool tool) {
    Guarded known = byName.get(tool.name());
    if (known == null || known.tool != tool) {
      known = byName.compute(tool.name(), (name, current) -> renewed(tool, current));
    }
    return known.breaker;
  }

  private static Guarded renewed(Tool tool, @Nullable Guarded current) {
    return current != null && current.tool == tool
        ? current
        : new Guarded(tool, new CircuitBreaker(tool.options().breaker()));
  }

  /// Takes a place for a call that may run; refused where its breaker is open or its rules have no
  /// place left.
  @Nullable ToolResult reserve(Call call) {
    CircuitBreaker breaker = breaker(call.tool());
    return switch (breaker.acquire(time.nanos())) {
      case CircuitBreaker.Open(var retryAfter) -> Refusal.circuitOpen(call.call(), retryAfter);
      case Permit permit -> count(call, breaker, permit);
    };
  }

  private @Nullable ToolResult count(Call call, CircuitBreaker breaker, Permit permit) {
    boolean starts = false;
    try {
      CommonStart.Start start =
          call.session().within(call.tool().options().deadline(), () -> started(call));
      starts = start.decision() instanceof Decision.Allowed && !start.begunBefore();
      if (start.begunBefore()) {
        return Refusal.outcomeUnknown(call.call());
      }
      return switch (start.decision()) {
        case Decision.Allowed allowed -> {
          call.reserved(new Call.Reservation(breaker, permit, start));
          yield null;
        }
        case Decision.Denied denied -> call.denied(denied);
      };
    } finally {
      if (!starts) {
        // Whatever breaks, a probe gives its place back.
        breaker.record(permit, End.Health.UNKNOWN, time.nanos());
      }
    }
  }

  /// Counts the start where the rules let it, and stores what has to be there before it.
  private CommonStart.Start started(Call call) {
    CommonStart.Start start =
        book.reserve(call.call(), call.ofModel(), call.once(), call.session());
    call.session().storeLines();
    return start;
  }

  /// Gives the place back, and stores the call's result with its end.
  ///
  /// @param end of its attempts, null where a fault of ours has kept them from one
  void end(Call call, @Nullable End end) {
    Call.Reservation place = call.reservation();
    End.Health health = end == null ? End.Health.UNKNOWN : end.health();
    place.breaker().record(place.permit(), health, time.nanos());
    boolean success = end != null && call.hasSucceeded();
    if (success && call.ofModel()) {
      call.session().succeeded(call.call());
    }
    boolean ofLoop = !call.isNested();
    Runnable counting =
        () -> {
          if (call.handlerBegan()) {
            book.ended(
                call.call(), call.session(), end == null ? CUT_SHORT : call.finished(), ofLoop);
          } else {
            book.withdraw(place.start(), call.call(), call.session());
          }
        };
    patiently(
        call,
        call.tool().options().deadline().minus(call.took()),
        end == null
            ? counting
            : () -> call.session().keep(call.entry(), call.asked(), call.finished(), counting));
  }

  /// Counts the end of a call that a process had begun which died, and stores its result with it.
  void endOfBegun(Call call) {
    if (call.hasSucceeded() && call.ofModel()) {
      call.session().succeeded(call.call());
    }
    Runnable counting =
        () -> book.ended(call.call(), call.session(), call.finished(), !call.isNested());
    patiently(
        call,
        ToolOptions.DEFAULT_TIMEOUT,
        () -> call.session().keep(call.entry(), call.asked(), call.finished(), counting));
  }

  /// Stores what came of a call in the time that is left.
  private static void patiently(Call call, Duration left, Runnable storing) {
    call.session()
        .within(
            left.compareTo(LEAST) < 0 ? LEAST : left,
            () -> {
              storing.run();
              return call;
            });
  }
}
