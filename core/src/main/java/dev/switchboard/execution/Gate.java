package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.rule.ToolRules;
import dev.switchboard.schema.Checked;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;

/// What a call has to pass before it runs: known, its arguments good, allowed. Pure: it changes
/// nothing.
record Gate(ToolRegistry tools, ToolRules rules) {
  Admission admit(Arrival arrival) {
    ToolCall call = arrival.call();
    if (arrival.earlier() != null) {
      return new Admission.Same(call, arrival.earlier());
    }
    ToolResult gone = arrival.outOfPlace();
    if (gone != null) {
      return new Admission.Refused(gone);
    }
    Tool tool = tools.find(call.name());
    if (tool == null) {
      return new Admission.Refused(Refusal.unknownTool(call, tools));
    }
    return switch (tool.check(call.arguments())) {
      case Checked.Refused(var faults) ->
          new Admission.Refused(Refusal.invalidArguments(call, faults));
      case Checked.Accepted accepted -> judge(new Ticket(arrival, tool, accepted));
    };
  }

  private Admission judge(Ticket ticket) {
    return switch (rules.judge(ticket.call(), ticket.tool().definition())) {
      case ToolRules.Verdict.Denied(var violation, var sentence) ->
          new Admission.Refused(Refusal.ruleViolation(ticket.call(), violation, sentence));
      case ToolRules.Verdict.Allowed() ->
          ticket.tool().definition().mode().requiresConsent()
              ? new Admission.NeedsConsent(ticket)
              : new Admission.Ready(ticket);
    };
  }
}
