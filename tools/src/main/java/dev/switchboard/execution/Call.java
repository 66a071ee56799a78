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

/// A call in the pipeline, from its arrival to its result; the stages read and complete it in
/// order.
///
/// For one thread at a time.
final class Call {
  private final ToolSession session;
  private final CallOrigin origin;
  private final @Nullable Attempts outer; // of the call whose tool made it, null if none did
  private final ToolCall asked; // as it came in
  private final CallLog.@Nullable LoggedCall entry; // its own in the log, null where it has none
  private final CallLog.@Nullable LoggedCall earlier; // of its id, or a refusal in its place
  private final boolean late; // whether the turn had ended when it came in
  private ToolCall call; // as it is to run
  private final Abandonment abandonment;
  private boolean edited; // whether a person has changed the arguments
  private boolean refusedArguments; // whether its handler refused them before it did anything
  private boolean open; // whether it is still to be decided, or to be run
  private boolean left; // whether a dead process had begun it, and nobody knows what became of it
  private CompiledRules rules; // that hold for it
  private @Nullable CompiledTool compiled; // its tool by these, null where there is none
  private ToolHandler.@Nullable Arguments arguments; // valid ones
  private List<ConsentRequest.Demand> demands = List.of(); // for which a person has to agree
  private @Nullable Violation violation; // of the rule that refused it
  private Reservations.@Nullable Reservation reservation;
  private @Nullable Attempts attempts;
  private ConsentRequest.@Nullable Begun begunBefore; // as the person who decided was told
  private @Nullable ConsentRequest request; // that it waits for outside
  private @Nullable ToolResult result; // without a note on a person's arguments

  /// @param call with the arguments that rules set
  Call(
      ToolSession session,
      CallOrigin origin,
      ToolCall asked,
      ToolCall call,
      CallLog.Claim claim,
      CompiledRules rules) {
    this.session = session;
    this.origin = origin;
    outer = origin instanceof CallOrigin.Outer(Call made) ? made.attempts : null;
    this.asked = asked;
    this.call = call;
    entry = claim.own();
    earlier = claim.earlier();
    abandonment = new Abandonment(this);
    result = abandonment.isAbandoned() ? Refusal.notStored(asked) : null;
    open = earlier == null && !abandonment.isAbandoned();
    late = claim.late();
    lookUp(rules);
    boolean once = compiled == null || !mayActTwice();
    left = open && once && session.state().hasBegun(call.id());
  }

  /// Sets the rules, and the tool of its name.
  void lookUp(CompiledRules now) {
    rules = now;
    compiled = now.tools().get(call.name());
  }

  CompiledRules rules() {
    return rules;
  }

  /// Its tool, null if there is none.
  @Nullable CompiledTool found() {
    return compiled;
  }

  /// Its tool, which exists.
  CompiledTool compiled() {
    return known(compiled);
  }

  /// Its checks; those about which tool has to be next are for the model's calls.
  ToolChecks checks() {
    ToolChecks checks = rules.rules().checks(call.name());
    if (!ofModel()) {
      return checks.ofRuntime();
    }
    return session.callsAreTurns() ? checks.ofTurns() : checks;
  }

  /// Whether a dead process had begun it, it may run only once, and it is not known what became of
  /// it.
  boolean isLeft() {
    return left;
  }

  /// Records that it is decided what became of it.
  void outcomeDetermined() {
    left = false;
  }

  /// The call as it arrived.
  ToolCall asked() {
    return asked;
  }

  /// The call as it runs.
  ToolCall call() {
    return call;
  }

  ToolSession session() {
    return session;
  }

  CallOrigin origin() {
    return origin;
  }

  /// Whether its turn had ended when it came in.
  boolean isLate() {
    return late;
  }

  boolean ofModel() {
    return origin instanceof CallOrigin.Model;
  }

  /// Whether a tool made it.
  boolean isNested() {
    return outerCall() != null;
  }

  /// Whether it may be repeated although it may have acted.
  boolean mayActTwice() {
    return tool().options().mayActTwice();
  }

  /// The record of its beginning, if it may run only once; otherwise null.
  @Nullable Begun once() {
    return mayActTwice() ? null : new Begun(call.id(), root().call.id());
  }

  /// The call whose tool made it, null if no tool did.
  @Nullable Call outerCall() {
    return origin instanceof CallOrigin.Outer(Call made) ? made : null;
  }

  /// Whether another process is to make it.
  boolean isAbandoned() {
    return abandonment.isAbandoned();
  }

  /// Whether and why it is left to another process.
  Abandonment abandonment() {
    return abandonment;
  }

  private Call root() {
    Call outermost = outerCall();
    return outermost == null ? this : outermost.root();
  }

  /// The attempts of the call whose tool made it, null if no tool did.
  @Nullable Attempts outer() {
    return outer;
  }

  /// Whether it has an entry of its own in the log.
  boolean isLogged() {
    return entry != null;
  }

  /// The log entry of the earlier call of its id, or of the refusal of that id; null for none.
  CallLog.@Nullable LoggedCall earlier() {
    return earlier;
  }

  /// Replaces the model's arguments by a person's.
  void edit(Json arguments) {
    call = new ToolCall(asked.id(), asked.name(), arguments);
    edited = !arguments.equals(asked.arguments());
  }

  /// Sets the arguments that the check has accepted.
  void accept(Checked.Accepted good) {
    arguments = new ToolHandler.Arguments(good.arguments(), good.bound());
    if (!good.arguments().equals(call.arguments())) {
      call = new ToolCall(asked.id(), asked.name(), good.arguments());
    }
  }

  /// Its tool, which exists.
  Tool tool() {
    return compiled().tool();
  }

  /// The valid arguments for its handler.
  ToolHandler.Arguments arguments() {
    return known(arguments);
  }

  private static <T> T known(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("this is known in a later stage of the call");
    }
    return part;
  }

  /// Records that a person has to agree, for these reasons; none once one has.
  void demand(List<ConsentRequest.Demand> reasons) {
    demands = reasons;
  }

  List<ConsentRequest.Demand> demands() {
    return demands;
  }

  /// Records the refusal by its rules.
  ToolResult denied(Decision.Denied decision) {
    violation = decision.violation();
    return Refusal.ruleViolation(call, decision);
  }

  /// The broken rule, or null.
  @Nullable Violation violation() {
    return violation;
  }

  void reserved(Reservations.Reservation taken) {
    reservation = taken;
  }

  Reservations.Reservation reservation() {
    return known(reservation);
  }

  /// Records that these attempts begin, which a cancel of the conversation then reaches.
  void began(Attempts made) {
    attempts = made;
    session.open().began(made);
  }

  /// Makes an attempt to look up its outcome.
  End probed(Attempts probe) {
    Attempts own = attempts;
    try {
      return probe.run();
    } finally {
      attempts = own;
    }
  }

  /// Whether it may have acted without an answer.
  boolean leavesDoubt(End end) {
    return made() > 0 && (end.leavesDoubt() || end instanceof End.Cancelled);
  }

  /// Sets its outcome: how its attempts ended.
  void outcome(End end) {
    refusedArguments = end.isRefusalOfArguments();
    outcome(Refusal.ended(this, end));
  }

  /// Sets its outcome: a refusal, an internal error, what a probe has found, or what the guardrails
  /// leave of an answer.
  void outcome(ToolResult outcome) {
    open = false;
    result = ResultConverter.finish(outcome, asked.id());
  }

  /// Sets its outcome after an exception outside its handler. If the store was away before its
  /// handler began, it has none: it is made when the turn goes on, or the answer is carried out.
  void fail(Throwable thrown) {
    if (made() > 0) {
      outcome(Broken.failed(asked, session, thrown));
    } else {
      outcome(Broken.result(asked, session, thrown));
      abandonment.fail(thrown);
    }
  }

  /// Its outcome, null before.
  @Nullable ToolResult outcome() {
    return result;
  }

  /// The number of attempts.
  int made() {
    return attempts == null ? 0 : attempts.made();
  }

  /// The time of its attempts.
  Duration took() {
    return attempts == null ? Duration.ZERO : attempts.took();
  }

  /// Whether what its start has claimed is given back: its handler never began, or has refused the
  /// arguments before it did anything.
  boolean startIsVoid() {
    // An internal error makes it unknown whether the handler began.
    return result != null && made() == 0 || refusedArguments;
  }

  /// Records how it may have begun before, null if it has not.
  void begunBefore(ConsentRequest.@Nullable Begun before) {
    begunBefore = before;
  }

  /// How it may have begun before, null if it has not.
  ConsentRequest.@Nullable Begun begunBefore() {
    return begunBefore;
  }

  /// Records that it waits for the answer to this request.
  void park(ConsentRequest waitsFor) {
    request = waitsFor;
    open = false;
  }

  /// The request that it waits for, or null.
  @Nullable ConsentRequest request() {
    return request;
  }

  /// The depth of tools that call tools, 1 for a call by the model.
  int depth() {
    return attempts == null ? 1 : attempts.depth();
  }

  /// Whether its result may take time: it runs, waits for a person, or for an earlier call.
  boolean takesTime() {
    return result == null;
  }

  /// Whether it is undecided or has not run.
  boolean isOpen() {
    return open;
  }

  /// Its own result, null while there is none.
  @Nullable ToolResult ownResult() {
    return entry == null ? null : entry.result().getNow(null);
  }

  /// Whether its result is that of the earlier call of its id.
  boolean isRepeat() {
    return earlier != null && result == null && ownResult() == null;
  }

  /// Its one result, once it exists.
  ToolResult finished() {
    ToolResult own = ownResult();
    return own != null || !edited || entry == null
        ? known(own == null ? result : own)
        : Consents.edited(known(result), call.arguments(), made() > 0);
  }

  /// Settles it with its one result.
  ToolResult settle() {
    ToolResult settled = finished();
    if (entry != null && isAbandoned()) {
      session.log().abandon(entry, settled);
    } else if (entry != null) {
      session.settle(entry, call, settled);
    }
    return settled;
  }

  /// Settles it with its one result, which is stored together with its end.
  ///
  /// @param end writes its end
  void keep(Runnable end) {
    if (isAbandoned()) {
      return;
    }
    if (entry == null) {
      end.run();
    } else {
      session.keep(entry, call, finished(), end);
    }
  }
}
