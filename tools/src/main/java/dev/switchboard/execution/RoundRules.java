package dev.switchboard.execution;

import dev.switchboard.check.Checked;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopControl;
import dev.switchboard.ruling.StartCall;
import dev.switchboard.ruling.StartStep;
import dev.switchboard.ruling.ToolChecks;
import dev.switchboard.ruling.Violation;
import dev.switchboard.state.Ledger;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What calls change for the turn that they are made in: its end, the reminder or the forced start
/// calls after a refusal, the end of a step of the model.
///
/// Thread-safe.
final class RoundRules {
  private final RuleBook book;
  private final Pipeline pipeline;

  RoundRules(RuleBook book, Pipeline pipeline) {
    this.book = book;
    this.pipeline = pipeline;
  }

  /// Ends a step of the model, the calls of a round: its successes limit the next step. Without
  /// effect without a success.
  void endStep(ToolSession session) {
    if (session.state().rules().running() == null) {
      return;
    }
    try {
      book.endStep(session);
    } catch (RuntimeException thrown) {
      // It ends with the round that the loop stores, or with the next one.
      Broken.warn("the end of a step was not kept", session, thrown);
    }
  }

  /// As [#endStep], once none of its calls waits for a person.
  void endStepIfSettled(ToolSession session) {
    if (session.state().waiting().isEmpty()) {
      endStep(session);
    }
  }

  /// Applies the results of a batch, in the order of its calls.
  void afterBatch(List<Call> calls, ToolSession session) {
    StopReason exit = null;
    for (Call call : calls) {
      ToolResult result = call.ownResult();
      if (result != null && !call.isAbandoned()) {
        exit =
            exit == null ? exitBy(call.rules().rules().checks(call.asked().name()), result) : exit;
        afterRefusal(call);
      }
    }
    boolean held = session.exited() && session.state().rules().held() != null;
    if (exit != null && !held && session.exited() && session.state().exit() != exit) {
      decideExit(exit, session);
    }
  }

  /// Why a call's result ends the turn; null if it does not.
  ///
  /// @param checks of its tool
  static @Nullable StopReason exitBy(ToolChecks checks, ToolResult result) {
    if (result.isTerminal()) {
      return StopReason.TERMINAL_RESULT;
    }
    return result.success() && checks.exitsLoop() ? StopReason.TOOL_RULE : null;
  }

  private static void decideExit(StopReason reason, ToolSession session) {
    try {
      session.change(state -> new Ledger.Step<>(state.exitedFor(reason), reason));
    } catch (RuntimeException thrown) {
      // The turn has ended for the first reason.
      Broken.warn("why a turn ended was not kept", session, thrown);
    }
  }

  /// Applies the refusal of a model's call because start tools had not run.
  void afterRefusal(Call call) {
    if (call.violation() != Violation.START_CONSTRAINTS_NOT_MET || !call.ofModel()) {
      return;
    }
    try {
      remindOrForce(call.session());
    } catch (RuntimeException thrown) {
      // The refused call still has its result.
      Broken.warn("a refusal was not counted", call.session(), thrown);
    }
  }

  private void remindOrForce(ToolSession session) {
    StartStep step =
        session.change(state -> {
          StartStep next =
              LoopControl.startRefused(
                  book.rules(session),
                  state.rules(),
                  book.agent().uses(),
                  name -> takesNothing(name, session));
          return new Ledger.Step<>(state.withRules(next.next()), next);
        });
    String reminder = step.reminder();
    if (reminder != null) {
      Json text = Json.of(Codec.object().put("text", reminder));
      session.show(() -> new Event.AgentEvent("reminder", text));
    }
    force(step.forced().stream().filter(call -> takes(call, session)).toList(), session);
  }

  private void force(List<StartCall> calls, ToolSession session) {
    List<String> failed = new ArrayList<>();
    for (StartCall call : calls) {
      if (!make(call.tool(), call.args(), session).success()) {
        failed.add(call.tool());
      }
    }
    if (!failed.isEmpty()) {
      String message =
          "The conversation has to begin with '%s', which failed; the turn ends here."
              .formatted(String.join("', '", failed));
      session
          .events()
          .show(
              "turn" + session.state().turn() + "/start_failed",
              new Event.Failed(message, "start_failed", Map.of()));
      session.change(state -> new Ledger.Step<>(state.exited(StopReason.TOOL_RULE), state));
    }
  }

  /// Whether the tool accepts these arguments.
  boolean takes(StartCall call, ToolSession session) {
    Tool tool = book.find(call.tool(), session);
    return tool != null && tool.check(call.args()) instanceof Checked.Accepted;
  }

  /// Whether the tool needs no arguments.
  boolean takesNothing(String name, ToolSession session) {
    return takes(new StartCall(name, Json.EMPTY_OBJECT), session);
  }

  /// Calls the tool, as the runtime does.
  ToolResult make(String tool, Json arguments, ToolSession session) {
    return pipeline.own(tool, arguments, session);
  }
}
