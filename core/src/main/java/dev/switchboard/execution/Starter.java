package dev.switchboard.execution;

import dev.switchboard.rule.Decision;

/// The step that touches the world: a call is let through by its breaker, counted by its rules, and
/// run.
record Starter(Breakers breakers, RuleBook book, Environment environment) {
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
      Decision decision = book.reserve(ticket.asked(), ticket.session());
      starts = decision instanceof Decision.Allowed;
      return switch (decision) {
        case Decision.Allowed allowed -> new Admission.Reserved(ticket, breaker, permit);
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
    boolean success = false;
    long end = now;
    try {
      Outcome.Ran outcome = new RunningCall(ticket, environment, now).run();
      health = outcome.health();
      success = outcome.result().success();
      // What is done is kept before it is counted: a result is worth more than its place in the
      // books, and whoever takes up the conversation can count it then.
      ticket.arrival().keep(outcome);
      end = now + outcome.nanos();
      return outcome;
    } finally {
      reserved.breaker().record(reserved.permit(), health, end);
      ended(ticket, success);
    }
  }

  private void ended(Ticket ticket, boolean success) {
    try {
      if (success) {
        ticket.session().succeeded(ticket);
      }
      book.ended(ticket.call(), ticket.session(), success, ticket.arrival().outer() == null);
    } catch (RuntimeException thrown) {
      // The deed is done, and its result counts more than its place in the books.
      Broken.warn("the end of a call was not kept", thrown);
    }
  }
}
