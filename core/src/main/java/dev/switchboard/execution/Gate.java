package dev.switchboard.execution;

import dev.switchboard.check.Checked;
import dev.switchboard.consent.Demand;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.rule.Decision;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a call has to pass before it runs: known, its arguments good, allowed, agreed to. Pure: it
/// changes nothing.
record Gate(ToolRegistry tools, RuleBook book) {
  /// The decision on a call that has just come in.
  Admission admit(Arrival arrival) {
    return switch (check(arrival)) {
      case Admission.Ready(var ticket) -> repeatOrConsent(ticket);
      case Admission other -> other;
    };
  }

  /// The decision on a call that a person has agreed to: everything is looked at once more.
  Admission admitAgreed(Arrival arrival) {
    return check(arrival);
  }

  /// @param arguments that a person puts in the place of the model's, null for none
  /// @throws IllegalArgumentException when that tool does not take them
  void checkArguments(String name, @Nullable Json arguments) {
    Tool tool = tools.find(name);
    if (arguments != null
        && tool != null
        && tool.check(arguments) instanceof Checked.Refused refused) {
      String error =
          Refusal.invalidArguments(ToolCall.of(name, arguments), refused.faults()).error();
      throw new IllegalArgumentException(String.valueOf(error));
    }
  }

  private Admission check(Arrival arrival) {
    ToolCall call = arrival.call();
    if (arrival.earlier() != null) {
      return new Admission.Same(arrival, arrival.earlier());
    }
    ToolResult gone = arrival.outOfPlace();
    if (gone != null) {
      return new Admission.Refused(gone);
    }
    Tool tool = tools.find(call.name());
    if (tool == null) {
      return new Admission.Refused(Refusal.unknownTool(call, book.everOffered()));
    }
    return switch (tool.check(call.arguments())) {
      case Checked.Refused refused ->
          new Admission.Refused(Refusal.invalidArguments(call, refused.faults()));
      case Checked.Accepted accepted -> judge(new Ticket(arrival, tool, accepted));
    };
  }

  private Admission judge(Ticket ticket) {
    return switch (book.judge(ticket.asked(), ticket.session())) {
      case Decision.Denied denied ->
          new Admission.Refused(Refusal.ruleViolation(ticket.call(), denied));
      case Decision.Allowed allowed -> new Admission.Ready(ticket);
    };
  }

  private Admission repeatOrConsent(Ticket ticket) {
    int limit = ticket.tool().options().repeatLimit();
    if (limit > 0 && ticket.arrival().ofModel() && ticket.session().repeats(ticket) >= limit) {
      return new Admission.Refused(Refusal.repeated(ticket.call(), limit));
    }
    List<Demand> demands = book.demands(ticket.tool(), ticket.accepted().arguments());
    return demands.isEmpty()
        ? new Admission.Ready(ticket)
        : new Admission.NeedsConsent(ticket, demands);
  }
}
