package dev.switchboard.execution;

import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import org.jspecify.annotations.Nullable;

/// A call that has come in: its session, its place in the log, and where it came from.
///
/// @param entry its own place in the log, null where none is kept or the id was used before
/// @param earlier the call that used its id before
/// @param late whether the turn had ended when it came in
record Arrival(
    ToolCall call,
    ToolSession session,
    CallLog.@Nullable Entry entry,
    CallLog.@Nullable Entry earlier,
    Origin origin,
    boolean late) {

  /// Who made a call.
  sealed interface Origin {
    /// The model.
    Origin MODEL = new Model();

    /// The runtime by itself, as a rule has it.
    Origin RULE = new Rule();

    record Model() implements Origin {}

    record Rule() implements Origin {}

    /// The tool of another call.
    record Outer(RunningCall call) implements Origin {}
  }

  @Nullable RunningCall outer() {
    return origin instanceof Origin.Outer(var call) ? call : null;
  }

  boolean ofModel() {
    return origin instanceof Origin.Model;
  }

  /// Why no call may run here now, or null.
  @Nullable ToolResult outOfPlace() {
    if (session.cancelled()) {
      return Refusal.cancelled(call);
    }
    return switch (origin) {
      case Origin.Model model -> late ? Refusal.skippedAfterExit(call) : null;
      case Origin.Rule rule -> null;
      case Origin.Outer(var outer) ->
          outer.depth() >= ToolExecutor.MAX_DEPTH ? Refusal.tooDeep(call) : null;
    };
  }

  /// The same with the arguments that a person has put in the place of the model's.
  Arrival with(ToolCall edited) {
    return new Arrival(edited, session, entry, earlier, origin, late);
  }

  /// The call's own result, null while it has none, or repeats an earlier call.
  @Nullable ToolResult result() {
    return entry == null ? null : entry.result().getNow(null);
  }

  /// Keeps the finished result, before it is this call's turn to be recorded and shown.
  void keep(Outcome outcome) {
    session.keep(this, finished(outcome));
  }

  private ToolResult finished(Outcome outcome) {
    ToolResult known = result();
    return known == null ? told(Answers.finish(outcome.result(), call.id())) : known;
  }

  /// The model is told where a person has changed what it asked for.
  private ToolResult told(ToolResult result) {
    if (entry == null || entry.call().arguments().equals(call.arguments())) {
      return result;
    }
    String text = result.text() == null ? "" : result.text() + "\n";
    return result.toBuilder()
        .text(text + "(A person has changed the arguments: it ran with " + call.arguments() + ".)")
        .build();
  }

  /// The finished result, recorded and shown.
  ToolResult settle(Outcome outcome, RuleBook book) {
    ToolResult result = finished(outcome);
    session.settled(this, result, book);
    return result;
  }
}
