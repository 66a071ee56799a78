package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import dev.switchboard.attempt.End;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Json;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The execution pipeline: the stages of every call, in order. If a stage throws, the call still
/// gets a result.
///
/// Thread-safe.
final class Pipeline {
  private final RuleBook book;
  private final CallCheck check;
  private final Consents consents;
  private final Reservations reservations;
  private final Recovery recovery;
  private final RestartLimit begunAgain;
  private final Listeners listeners;
  private final boolean hasListeners;
  private final RunningCall.Provided provided;
  private final Attempts.Settings settings;

  Pipeline(
      Services services,
      Attempts.Settings settings,
      RuleBook book,
      CallCheck check,
      Consents consents,
      Reservations reservations,
      Listeners listeners) {
    this.settings = settings;
    this.book = book;
    this.check = check;
    this.consents = consents;
    this.reservations = reservations;
    this.listeners = listeners;
    hasListeners = !listeners.isEmpty();
    RateLimitedLog seldom = new RateLimitedLog(settings.time()::nanos);
    provided = new RunningCall.Provided(services, check, consents, listeners, seldom, this::nested);
    begunAgain = new RestartLimit(book, reservations);
    recovery = new Recovery(check, reservations, begunAgain, this::probe);
  }

  /// Adds a new call to the conversation's log and emits its event.
  Call arrive(ToolCall call, CallOrigin origin, ToolSession session) {
    ToolCall clean = check.isGuarded() ? check.guards(session).redacted(call) : call;
    // A tool chooses the ids of nested calls; they must not collide with the model's.
    boolean nested = origin instanceof CallOrigin.Outer;
    boolean logged = session.isLogged() && !nested;
    CallLog.Claim claim = logged ? claim(clean, session) : CallLog.Claim.NONE;
    CompiledRules rules = book.compiled(session);
    boolean ofModel = origin instanceof CallOrigin.Model;
    ToolCall run = ofModel && !rules.empty() ? book.prefilled(clean, rules, session) : clean;
    Call arrived = new Call(session, origin, clean, run, claim, rules);
    if (session.emitsEvents()) {
      session.show(() -> called(run, !ofModel, arrived.found()));
    }
    return arrived;
  }

  /// The event of an arriving call, with the names of arguments that a request for consent has.
  ///
  /// @param auto whether the model did not make it
  /// @param found its tool, null if there is none
  static Event.ToolCalled called(ToolCall call, boolean auto, @Nullable CompiledTool found) {
    return found == null
        ? new Event.ToolCalled(call, auto, null)
        : new Event.ToolCalled(found.tool().named(call), auto, found.tool().definition().mode());
  }

  private static CallLog.Claim claim(ToolCall call, ToolSession session) {
    try {
      return session.claim(call);
    } catch (RuntimeException thrown) {
      return CallLog.Claim.refused(call, Broken.result(call, session, thrown));
    }
  }

  /// A pending call, to be settled now.
  Call resume(ConsentRequest request, ToolSession session) {
    ToolCall call = request.call();
    CallLog.Claim claim = session.claimAgain(call);
    Call resumed = new Call(session, CallOrigin.MODEL, call, call, claim, book.compiled(session));
    resumed.abandonment().resumed();
    resumed.begunBefore(request.begun());
    return resumed;
  }

  /// Runs a call through all stages, in order; returns its result.
  ToolResult execute(Call call) {
    admit(call);
    recover(call);
    run(call);
    return settle(call);
  }

  /// Checks tool, arguments, rules and repeats. If no consent is needed, also reserves the call's
  /// place under breaker and rules; otherwise that follows the person's answer.
  void admit(Call call) {
    if (!call.isOpen() || call.isInDoubt()) {
      return;
    }
    try {
      ToolResult refusal = check.refusal(call);
      if (refusal == null && call.demands().isEmpty()) {
        refusal = reserveUnasked(call);
      }
      if (refusal != null) {
        call.outcome(refusal);
      }
    } catch (Throwable thrown) {
      call.fail(thrown);
    }
  }

  /// Reserves the place of a call that needs no consent; returns why it may not run, or null.
  private @Nullable ToolResult reserveUnasked(Call call) {
    ToolResult tooOften = begunAgain.begins(call);
    return tooOften == null ? reservations.reserve(call) : tooOften;
  }

  /// Reserves the place of a call that a person has approved; returns why it may not run, or null.
  private @Nullable ToolResult reserveApproved(Call call) {
    ToolResult tooOften = begunAgain.beginsApproved(call);
    return tooOften == null ? reservations.reserve(call) : tooOften;
  }

  /// Determines the outcome of an at-most-once call whose process died; admits it if it did not
  /// happen.
  void recover(Call call) {
    if (call.isInDoubt()) {
      determineOutcome(call);
      admit(call);
    }
  }

  /// Determines the outcome of an at-most-once call whose process died.
  void determineOutcome(Call call) {
    recovery.determineOutcome(call);
  }

  /// Leaves the call pending if it needs a person's consent, or has the id of a call that does.
  void park(Call call) {
    CallLog.LoggedCall earlier = call.earlier();
    if (earlier != null) {
      Consents.parkRepeated(call, earlier);
    } else if (call.isOpen() && !call.demands().isEmpty()) {
      consents.park(call);
    }
  }

  /// Runs a pending call if the answer approves it and the rules still allow it.
  void runAnswered(Call call, List<ConsentRequest.Demand> asked, Answer answer) {
    try {
      if (call.isOpen()) {
        refuseOrReserve(call, consents.answered(call, asked, answer));
      }
    } catch (Throwable thrown) {
      call.fail(thrown);
    }
    run(call);
  }

  /// Runs the call; if it needs consent, first asks for it and reserves the call's place.
  void run(Call call) {
    try {
      if (call.isOpen() && !call.demands().isEmpty()) {
        refuseOrReserve(call, consents.ask(call));
      }
      if (call.isOpen()) {
        attempt(call);
      }
    } catch (Throwable thrown) {
      call.fail(thrown);
    }
  }

  /// Reserves the call's place after a person's answer, or sets why it is refused.
  ///
  /// @param denial why the call may not run after that answer, or null
  private void refuseOrReserve(Call call, @Nullable ToolResult denial) {
    ToolResult refusal = denial == null ? reserveApproved(call) : denial;
    if (refusal != null) {
      call.outcome(refusal);
    }
  }

  /// Runs the handler, the only stage with effects outside; in the end releases the call's place.
  /// If the call has rules or a store, its result is stored with that, and [#settle] finds it
  /// settled.
  private void attempt(Call call) {
    End end = null;
    try {
      end = attempts(call).run();
      call.outcome(end);
      if (!call.mayActTwice()) {
        recovery.clear(call, end);
      }
      if (check.isGuarded()) {
        check.guardResult(call);
      }
    } finally {
      reservations.end(call, end);
    }
  }

  private Attempts attempts(Call call) {
    return new Attempts(new RunningCall(call, call.tool().handler(), false, provided), settings);
  }

  private Attempts probe(Call call, ToolHandler probe) {
    return new Attempts(new RunningCall(call, probe, true, provided), settings);
  }

  /// The counter of calls and questions that a dead process may have begun.
  RestartLimit begunAgain() {
    return begunAgain;
  }

  /// Settles a call that a dead process had begun, and that is not repeated, as having an unknown
  /// outcome.
  ToolResult giveUp(ToolCall call, ToolSession session) {
    Call abandoned = arrive(call, CallOrigin.MODEL, session);
    if (abandoned.isOpen()) {
      abandoned.outcome(Refusal.outcomeUnknown(call));
      reservations.endOfBegun(abandoned);
    }
    return settle(abandoned);
  }

  /// Logs the call's one result unless [#attempt] did, emits its event and notifies the listeners;
  /// returns the result.
  ToolResult settle(Call call) {
    ToolSession session = call.session();
    CallLog.LoggedCall earlier = call.earlier();
    if (earlier != null && call.isRepeat()) {
      call.outcome(consents.repeated(call, earlier));
    }
    ToolResult result = call.settle();
    if (call.isAbandoned()) {
      return result;
    }
    if (call.ofModel() && call.isLogged() && result.isTerminal()) {
      book.endTurn(result, session);
    }
    if (session.emitsEvents()) {
      session.show(() -> new Event.ToolSettled(result, call.asked().name()));
    }
    if (hasListeners) {
      listeners.settled(call, result);
    }
    return result;
  }

  /// Executes a call that the handler of another one makes; returns its result.
  private ToolResult nested(Call outer, ToolCall call) {
    return execute(arrive(call, new CallOrigin.Outer(outer), outer.session()));
  }

  /// Executes a call that a rule requires; returns its result.
  ToolResult own(String tool, Json arguments, ToolSession session) {
    ToolCall call = session.log().own(tool, arguments, session.state().turn());
    return execute(arrive(call, CallOrigin.RULE, session));
  }
}
