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
/// @param begunAgain counts the probes
/// @param attempts makes the attempt of a probe of the call
record Recovery(
    CallCheck check,
    Reservations reservations,
    RestartLimit begunAgain,
    BiFunction<Call, ToolHandler, Attempts> attempts) {
  /// Determines the outcome of the call, and gives it its result, unless its probe has found that
  /// it was not done: then it is open, as if it had not begun.
  void determineOutcome(Call call) {
    if (!call.isInDoubt()) {
      return;
    }
    try {
      ToolResult tooOften = begunAgain.probes(call);
      if (tooOften == null) {
        apply(call, probed(call));
      }
    } catch (Throwable thrown) {
      if (call.session().store().mayPass(thrown)) {
        call.fail(thrown);
        return;
      }
      Broken.warn("the outcome of a call was not determined", call.session(), thrown);
      call.outcome(Refusal.outcomeUnknown(call.call()));
    }
    call.outcomeDetermined();
  }

  private void apply(Call call, Found found) {
    switch (found) {
      case Found.NotDone() -> {
        String id = call.call().id();
        call.session().change(state -> new Ledger.Step<>(state.notBegun(id), state));
      }
      case Found.Unknown() -> {
        call.outcome(Refusal.outcomeUnknown(call.call()));
        reservations.endOfBegun(call);
      }
      case Found.Done(Object answer) -> {
        check.guardResult(call);
        reservations.endOfBegun(call);
      }
    }
  }

  /// Asks the tool's probe, whose answer becomes the call's outcome; unknown without a probe, or if
  /// the tool no longer accepts the arguments.
  private Found probed(Call call) {
    Probing probing = probing(call);
    if (probing == null
        || !(call.probed(attempts.apply(call, probing))
            instanceof End.Answered(ToolResult answer))) {
      return Found.UNKNOWN;
    }
    if (probing.found instanceof Found.Done) {
      call.outcome(answer);
    }
    return probing.found;
  }

  /// Sets the answer of a call without one, if a probe finds that it was done, and the deadline
  /// leaves time for the probe.
  void clear(Call call, End end) {
    ToolOptions options = call.tool().options();
    boolean inTime = options.deadline().minus(call.took()).compareTo(options.timeout()) >= 0;
    if (options.delivery() instanceof Delivery.Reconcile && call.leavesDoubt(end) && inTime) {
      Found unused = probed(call);
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
