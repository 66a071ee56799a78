package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import dev.switchboard.attempt.End;
import dev.switchboard.attempt.ResultConverter;
import dev.switchboard.check.Checked;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Json;
import dev.switchboard.ruling.Decision;
import dev.switchboard.ruling.ToolChecks;
import dev.switchboard.ruling.Violation;
import dev.switchboard.state.ConversationState.Begun;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A call in the pipeline, from its arrival to its result; each stage adds what it finds.
///
/// Used by one thread at a time.
final class Call {
  private final ToolSession session;
  private final CallOrigin origin;
  private final @Nullable Call outerCall; // whose tool made it, or null
  private final @Nullable Attempts outer; // of that call as it made this one, or null
  private final ToolCall asked; // the call as it arrived
  private final CallLog.@Nullable LoggedCall entry; // its own in the log, or null
  private final CallLog.@Nullable LoggedCall earlier; // of the same id, or a refusal, or null
  private final boolean late; // whether the turn had ended when it arrived
  private ToolCall call; // the call as it is to run
  private final Abandonment abandonment;
  private boolean edited; // whether a person has changed the arguments
  private boolean refusedArguments; // whether its handler did, before any effect
  private boolean open; // whether it has neither an outcome nor a pending request
  private boolean inDoubt; // whether a dead process had begun it, and its outcome is unknown
  private CompiledRules rules; // that apply to it
  private @Nullable CompiledTool compiled; // its tool with these rules, or null
  private @Nullable Tool tool; // its tool, or null
  private boolean mayActTwice; // whether its tool allows a repetition after a possible effect
  private ToolHandler.@Nullable Arguments arguments; // once they are valid
  private List<ConsentRequest.Demand> demands = List.of(); // why it needs consent
  private @Nullable Violation violation; // of a rule, for which it was refused
  private @Nullable Reservation reservation;
  private @Nullable Attempts attempts;
  private ConsentRequest.@Nullable Begun begunBefore; // as the person read who decided
  private @Nullable ConsentRequest request; // that it is pending on
  private @Nullable ToolResult result; // without the note on a person's arguments

  /// @param asked the call as it arrived
  /// @param call the call with the arguments that rules set
  Call(
      ToolSession session,
      CallOrigin origin,
      ToolCall asked,
      ToolCall call,
      CallLog.Claim claim,
      CompiledRules rules) {
    this.session = session;
    this.origin = origin;
    Call parent = origin instanceof CallOrigin.Outer(Call maker) ? maker : null;
    outerCall = parent;
    outer = parent == null ? null : parent.attempts;
    this.asked = asked;
    this.call = call;
    entry = claim.own();
    earlier = claim.earlier();
    abandonment = new Abandonment(session, call.id(), parent == null ? null : parent.abandonment);
    result = abandonment.isAbandoned() ? Refusal.notStored(asked) : null;
    open = earlier == null && !abandonment.isAbandoned();
    late = claim.late();
    lookUp(rules);
    inDoubt = open && !mayActTwice && session.state().hasBegun(call.id());
  }

  /// Sets the rules, and looks up the tool of its name.
  void lookUp(CompiledRules latest) {
    rules = latest;
    compiled = SpendingTool.of(call, latest);
    tool = compiled == null ? null : compiled.tool();
    mayActTwice = tool != null && tool.options().mayActTwice();
  }

  CompiledRules rules() {
    return rules;
  }

  /// Its tool, null if there is none.
  @Nullable CompiledTool found() {
    return compiled;
  }

  /// Its tool.
  ///
  /// @throws IllegalStateException if there is none
  CompiledTool compiled() {
    return required(compiled);
  }

  /// The rule checks of its tool; those about which tool has to be next only for the model's calls.
  ToolChecks checks() {
    ToolChecks checks = rules.rules().checks(call.name());
    if (!ofModel()) {
      return checks.ofRuntime();
    }
    return session.callsAreTurns() ? checks.ofTurns() : checks;
  }

  /// Whether it is an at-most-once call that a dead process had begun, and its outcome is unknown.
  boolean isInDoubt() {
    return inDoubt;
  }

  /// Records that its outcome is now known.
  void outcomeDetermined() {
    inDoubt = false;
  }

  /// The call as it arrived.
  ToolCall asked() {
    return asked;
  }

  /// The call as it runs, with the arguments of rules and of a person.
  ToolCall call() {
    return call;
  }

  ToolSession session() {
    return session;
  }

  CallOrigin origin() {
    return origin;
  }

  /// Whether its turn had ended when it arrived.
  boolean isLate() {
    return late;
  }

  boolean ofModel() {
    return origin instanceof CallOrigin.Model;
  }

  /// Whether its tool allows a repetition after a possible effect.
  boolean mayActTwice() {
    return mayActTwice;
  }

  /// The record of its beginning if it is an at-most-once call, otherwise null.
  @Nullable Begun once() {
    return mayActTwice ? null : new Begun(call.id(), root().call.id());
  }

  /// The call whose tool made it, or null.
  @Nullable Call outerCall() {
    return outerCall;
  }

  /// Whether it is left to another process.
  boolean isAbandoned() {
    return abandonment.isAbandoned();
  }

  /// Whether and why it is left to another process.
  Abandonment abandonment() {
    return abandonment;
  }

  private Call root() {
    return outerCall == null ? this : outerCall.root();
  }

  /// The attempts of the call whose tool made it, or null.
  @Nullable Attempts outer() {
    return outer;
  }

  /// Whether it has its own entry in the log.
  boolean isLogged() {
    return entry != null;
  }

  /// The log entry of the earlier call of its id, or of a refusal of the id; otherwise null.
  CallLog.@Nullable LoggedCall earlier() {
    return earlier;
  }

  /// Replaces the model's arguments with a person's.
  void edit(Json arguments) {
    call = new ToolCall(asked.id(), asked.name(), arguments);
    edited = !arguments.equals(asked.arguments());
  }

  /// Sets the arguments that the check has accepted.
  void accept(Checked.Accepted accepted) {
    arguments = new ToolHandler.Arguments(accepted.arguments(), accepted.bound());
    if (!accepted.arguments().equals(call.arguments())) {
      call = new ToolCall(asked.id(), asked.name(), accepted.arguments());
    }
  }

  /// Its tool, as [#compiled()].
  Tool tool() {
    return required(tool);
  }

  /// The arguments for its handler, once they are valid.
  ToolHandler.Arguments arguments() {
    return required(arguments);
  }

  private static <T> T required(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("this is known in a later stage of the call");
    }
    return part;
  }

  /// Sets why it needs a person's consent; an empty list once a person has agreed.
  void demand(List<ConsentRequest.Demand> reasons) {
    demands = reasons;
  }

  List<ConsentRequest.Demand> demands() {
    return demands;
  }

  /// Records that a rule refuses it; returns the result.
  ToolResult denied(Decision.Denied decision) {
    violation = decision.violation();
    return Refusal.ruleViolation(call, decision);
  }

  /// How it violates a rule, or null.
  @Nullable Violation violation() {
    return violation;
  }

  void reserved(Reservation place) {
    reservation = place;
  }

  Reservation reservation() {
    return required(reservation);
  }

  /// Records its attempts before they begin, so that the conversation can cancel them.
  void began(Attempts begun) {
    attempts = begun;
    session.open().began(begun);
  }

  /// Runs a probe of its outcome, which does not count as its attempt.
  End probed(Attempts probe) {
    Attempts own = attempts;
    try {
      return probe.run();
    } finally {
      attempts = own;
    }
  }

  /// Whether it may have had its effect although it has no answer.
  boolean leavesDoubt(End end) {
    return attemptCount() > 0 && (end.leavesDoubt() || end instanceof End.Cancelled);
  }

  /// Sets its outcome from the end of its attempts.
  void outcome(End end) {
    if (end instanceof End.Answered(ToolResult answer)) {
      outcome(answer);
      return;
    }
    int attempted = attemptCount();
    refusedArguments = end.isRefusalOfArguments();
    outcome(Refusal.ended(call, attempted, end, !mayActTwice && leavesDoubt(end)));
  }

  /// Sets its outcome: a refusal, an internal error, the finding of a probe, or an answer that the
  /// guardrails have changed.
  void outcome(ToolResult outcome) {
    open = false;
    result = ResultConverter.finish(outcome, asked.id());
  }

  /// Sets its outcome after an exception outside its handler. If the store was unavailable before
  /// its handler began, it is abandoned: it runs when the turn is resumed, or the answer settles
  /// it.
  void fail(Throwable thrown) {
    if (attemptCount() > 0) {
      outcome(Broken.failed(asked, session, thrown));
    } else {
      outcome(Broken.result(asked, session, thrown));
      abandonment.fail(thrown);
    }
  }

  /// Its outcome, or null while it has none.
  @Nullable ToolResult outcome() {
    return result;
  }

  /// The number of its attempts.
  int attemptCount() {
    return attempts == null ? 0 : attempts.begun();
  }

  /// The time that its attempts took, zero before them.
  Duration took() {
    return attempts == null ? Duration.ZERO : attempts.took();
  }

  /// Whether its start does not count: its handler never began, or refused the arguments before any
  /// effect.
  boolean startIsVoid() {
    // After an internal error it is unknown whether the handler began.
    return result != null && attemptCount() == 0 || refusedArguments;
  }

  /// Sets how it may have begun before, null if it has not.
  void begunBefore(ConsentRequest.@Nullable Begun before) {
    begunBefore = before;
  }

  /// How it may have begun before, null if it has not.
  ConsentRequest.@Nullable Begun begunBefore() {
    return begunBefore;
  }

  /// Leaves it pending on this request.
  void park(ConsentRequest pending) {
    request = pending;
    open = false;
  }

  /// The request that it is pending on, or null.
  @Nullable ConsentRequest request() {
    return request;
  }

  /// Its depth in calls made by tools, 1 for a call of the model.
  int depth() {
    return attempts == null ? 1 : attempts.depth();
  }

  /// Whether it has neither an outcome nor a pending request.
  boolean isOpen() {
    return open;
  }

  /// The result in its own log entry, or null.
  @Nullable ToolResult ownResult() {
    return entry == null ? null : entry.result().getNow(null);
  }

  /// Whether its result is that of the earlier call of its id.
  boolean isRepeat() {
    return earlier != null && result == null && ownResult() == null;
  }

  /// Its one result.
  ///
  /// @throws IllegalStateException if it has no outcome yet
  ToolResult finished() {
    ToolResult own = ownResult();
    return own != null || !edited || entry == null
        ? required(own == null ? result : own)
        : EditedCall.noted(required(result), call.arguments(), attemptCount() > 0);
  }

  /// Settles it: completes its log entry with its one result, which it returns.
  ToolResult settle() {
    ToolResult settled = finished();
    if (entry != null && isAbandoned()) {
      session.log().abandon(entry, settled);
    } else if (entry != null) {
      session.settle(entry, call, settled);
    }
    return settled;
  }

  /// Stores its result and its end in one write, which settles it; without effect if it is
  /// abandoned.
  ///
  /// @param end writes its end to the conversation's state
  void storeWithEnd(Runnable end) {
    if (isAbandoned()) {
      return;
    }
    if (entry == null) {
      end.run();
    } else {
      session.settle(entry, call, finished(), end);
    }
  }
}
