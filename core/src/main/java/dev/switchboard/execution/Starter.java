package dev.switchboard.execution;

import dev.switchboard.rule.Decision;
import java.time.Duration;

/// The step that touches the world: a call is let through by its breaker, counted by its rules, and
/// run.
record Starter(Breakers breakers, RuleBook book, Environment environment) {
  private static final Duration LEAST = Duration.ofMillis(250);

  /// Takes a place for a call that may run; refused where its breaker is open or its rules have no
  /// place left.
  Admission reserve(Ticket ticket) {
    CircuitBreaker breaker = breakers.of(ticket.tool());
    return switch (breaker.acquire(environment.time().nanos())) {
      case CircuitBreaker.Open(var retryAfter) ->
          new Admission.Refused(Refusal.circuitOpen(ticket.call(), retryAfter));
      case CircuitBreaker.Permit permit -> count(ticket, breaker, permit);
    };
  }

  private Admission count(Ticket ticket, CircuitBreaker breaker, CircuitBreaker.Permit permit) {
    boolean starts = false;
    try {
      RuleBook.Start start =
          ticket
              .session()
              .within(
                  ticket.tool().options().deadline(),
                  () -> book.reserve(ticket.asked(), ticket.session()));
      starts = start.decision() instanceof Decision.Allowed;
      return switch (start.decision()) {
        case Decision.Allowed allowed -> new Admission.Reserved(ticket, breaker, permit, start);
        case Decision.Denied denied ->
            new Admission.Refused(Refusal.ruleViolation(ticket.call(), denied));
      };
    } finally {
      if (!starts) {
        // Whatever breaks, a probe gives its place back.
        breaker.record(permit, Outcome.Health.UNKNOWN, environment.time().nanos());
      }
    }
  }

  /// Runs a call that has its place, and gives that back where it failed.
  Outcome run(Admission.Reserved reserved) {
    Ticket ticket = reserved.ticket();
    long now = environment.time().nanos();
    Outcome.Health health = Outcome.Health.UNKNOWN;
    Duration ran = Duration.ZERO;
    boolean success = false;
    boolean began = true;
    try {
      Outcome.Ran outcome = new RunningCall(ticket, environment, now).run();
      health = outcome.health();
      success = outcome.result().success();
      began = outcome.attempts() > 0;
      ran = Duration.ofNanos(outcome.nanos());
      // What is done is kept before it is counted: a result is worth more than its place in the
      // books, and whoever takes up the conversation can count it then.
      patiently(ticket, ran, () -> ticket.arrival().keep(outcome));
      return outcome;
    } finally {
      reserved.breaker().record(reserved.permit(), health, now + ran.toNanos());
      if (began) {
        ended(ticket, success, ran);
      } else {
        patiently(
            ticket, ran, () -> book.withdraw(reserved.start(), ticket.call(), ticket.session()));
      }
    }
  }

  private void ended(Ticket ticket, boolean success, Duration ran) {
    if (success) {
      ticket.session().succeeded(ticket);
    }
    boolean ofLoop = ticket.arrival().outer() == null;
    patiently(ticket, ran, () -> book.ended(ticket.call(), ticket.session(), success, ofLoop));
  }

  /// Stores what came of a call in the time that its deadline leaves.
  private static void patiently(Ticket ticket, Duration ran, Runnable storing) {
    Duration left = ticket.tool().options().deadline().minus(ran);
    ticket
        .session()
        .within(
            left.compareTo(LEAST) < 0 ? LEAST : left,
            () -> {
              storing.run();
              return ticket;
            });
  }
}
