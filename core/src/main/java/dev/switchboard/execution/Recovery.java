package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import dev.switchboard.attempt.End;
import dev.switchboard.check.Checked;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.handler.ToolOptions.Delivery;
import dev.switchboard.handler.ToolOptions.Delivery.Found;
import dev.switchboard.state.Ledger;
import dev.switchboard.tool.ToolResult;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Decides about a call that may run only once and that a dead process had begun.
///
/// @param probe makes the attempt of a probe of the call
record Recovery(
    CallCheck check, Reservations reservations, BiFunction<Call, ToolHandler, Attempts> probe) {
  /// Settles the call, unless its probe has found that it was not done: then it is open, as if it
  /// had not begun.
  void settle(Call call) {
    if (!call.isLeft()) {
      return;
    }
    try {
      settle(call, found(call));
    } catch (Throwable thrown) {
      Broken.warn("it was not found out what became of a call", thrown);
      call.refuse(Refusal.outcomeUnknown(call.call()));
    }
    call.foundOut();
  }

  private void settle(Call call, Found found) {
    switch (found) {
      case Found.NotDone() -> {
        String id = call.call().id();
        call.session().change(state -> new Ledger.Step<>(state.notBegun(id), state));
      }
      case Found.Unknown() -> {
        call.refuse(Refusal.outcomeUnknown(call.call()));
        reservations.endOfBegun(call);
      }
      case Found.Done(Object answer) -> {
        check.guardResult(call);
        reservations.endOfBegun(call);
      }
    }
  }

  /// The outcome that the tool's probe finds, with the answer for the call; unknown without a
  /// probe, or if the tool no longer accepts the arguments.
  private Found found(Call call) {
    Probing probing = probing(call);
    if (probing == null
        || !(call.probed(probe.apply(call, probing)) instanceof End.Answered(ToolResult answer))) {
      return Found.UNKNOWN;
    }
    if (probing.found instanceof Found.Done) {
      call.guarded(answer);
    }
    return probing.found;
  }

  /// Sets the answer of a call without one, if a probe finds that it was done, and the deadline
  /// leaves time for the probe.
  void clear(Call call, End end) {
    ToolOptions options = call.tool().options();
    boolean inTime = options.deadline().minus(call.took()).compareTo(options.timeout()) >= 0;
    if (options.delivery() instanceof Delivery.Reconcile && call.leavesDoubt(end) && inTime) {
      Found unused = found(call);
    }
  }

  private @Nullable Probing probing(Call call) {
    CompiledTool found = call.found();
    if (found != null
        && found.tool().options().delivery() instanceof Delivery.Reconcile(Delivery.Probe probe)
        && found.tool().check(call.call().arguments()) instanceof Checked.Accepted accepted) {
      call.accept(accepted);
      return new Probing(probe);
    }
    return null;
  }

  /// A probe as the tool's handler.
  private static final class Probing implements ToolHandler {
    private final Delivery.Probe probe;
    private volatile Found found = Found.UNKNOWN;

    Probing(Delivery.Probe probe) {
      this.probe = probe;
    }

    @Override
    public @Nullable Object handle(Arguments arguments, ToolContext context) throws Exception {
      found = probe.find(arguments, context);
      return found instanceof Found.Done(Object answer) ? answer : "";
    }
  }
}
