package dev.switchboard.execution;

import dev.switchboard.consent.Demand;
import dev.switchboard.tool.ToolResult;
import java.util.List;

/// What the door decides of a call before anything runs.
sealed interface Admission {
  /// It will not run.
  record Refused(ToolResult result) implements Admission {}

  /// It repeats the id of an earlier call, and gets that one's result where it asks for the same.
  record Same(Arrival arrival, CallLog.Entry earlier) implements Admission {}

  /// A person has to agree first.
  record NeedsConsent(Ticket ticket, List<Demand> demands) implements Admission {}

  /// It may run.
  record Ready(Ticket ticket) implements Admission {}

  /// It may run, its breaker has let it through, and its rules have counted its start.
  record Reserved(
      Ticket ticket, CircuitBreaker breaker, CircuitBreaker.Permit permit, RuleBook.Start start)
      implements Admission {}
}
