package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import dev.switchboard.attempt.End;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Json;
import dev.switchboard.text.Seldom;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The stages that every call passes, in order. If one fails, the call still gets a result.
///
/// Thread-safe.
final class Pipeline {
  private final RuleBook book;
  private final CallCheck check;
  private final Consents consents;
  private final Reservations reservations;
  private final Recovery recovery;
  private final BegunAgain begunAgain;
  private final Listeners listeners;
  private final boolean listened; // whether there are any
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
    listened = !listeners.isEmpty();
    Seldom seldom = new Seldom(settings.time()::nanos);
    provided = new RunningCall.Provided(services, check, consents, listeners, seldom, this::nested);
    begunAgain = new BegunAgain(book, reservations);
    recovery = new Recovery(check, reservations, begunAgain, this::probe);
  }

  /// Shows an arriving call and adds it to the conversation.
  Call arrive(ToolCall call, CallOrigin origin, ToolSession session) {
    ToolCall clean = check.isGuarded() ? check.guards(session).redacted(call) : call;
    // A nested call has an id of its own making, which must not meet one of the model's.
    boolean nested = origin instanceof CallOrigin.Outer;
    boolean logged = session.isLogged() && !nested;
    CallLog.Claim claim = logged ? session.claim(clean) : CallLog.Claim.NONE;
    CompiledRules rules = book.compiled(session);
    boolean ofModel = origin instanceof CallOrigin.Model;
    ToolCall run = ofModel && !rules.empty() ? book.prefilled(clean, rules, session) : clean;
    if (session.isHeard()) {
      session.show(() -> book.called(run, !ofModel, session));
    }
    return new Call(session, origin, clean, run, claim, rules);
  }

  /// The arrival of a call that has waited for a person.
  Call resume(ConsentRequest request, ToolSession session) {
    ToolCall call = request.call();
    CallLog.Claim claim = session.claimAgain(call);
    Call made = new Call(session, CallOrigin.MODEL, call, call, claim, book.compiled(session));
    made.abandonment().resumed();
    made.begunBefore(request.begun());
    return made;
  }

  /// The stages in order.
  ToolResult execute(Call call) {
    admit(call);
    recover(call);
    run(call);
    return settle(call);
  }

  /// Checks the call: tool, arguments, rules, repeats. Then reserves its place under breaker and
  /// rules; if a person has to approve it, after the answer.
  void admit(Call call) {
    if (!call.isOpen() || call.isLeft()) {
      return;
    }
    try {
      ToolResult no = check.refusal(call);
      if (no == null && call.demands().isEmpty()) {
        no = reserve(call, false);
      }
      if (no != null) {
        call.outcome(no);
      }
    } catch (Throwable thrown) {
      call.broke(thrown);
    }
  }

  /// @param allowed whether a person has allowed it
  private @Nullable ToolResult reserve(Call call, boolean allowed) {
    ToolResult tooOften = begunAgain.begins(call, allowed);
    return tooOften == null ? reservations.reserve(call) : tooOften;
  }

  /// Determines the outcome of an at-most-once call whose process died; admits it if it was not
  /// done.
  void recover(Call call) {
    if (call.isLeft()) {
      findOut(call);
      admit(call);
    }
  }

  /// Determines the outcome of an at-most-once call whose process died.
  void findOut(Call call) {
    recovery.findOut(call);
  }

  /// Leaves a call pending that needs a person's consent, or repeats one that does.
  void park(Call call) {
    CallLog.LoggedCall earlier = call.earlier();
    if (earlier != null) {
      Consents.parkRepeated(call, earlier);
    } else if (call.isOpen() && !call.demands().isEmpty()) {
      consents.park(call);
    }
  }

  /// Runs a pending call, if the person has approved it and it may still run.
  void runAnswered(Call call, List<ConsentRequest.Demand> asked, Answer answer) {
    try {
      if (call.isOpen()) {
        reserve(call, consents.answered(call, asked, answer));
      }
    } catch (Throwable thrown) {
      call.broke(thrown);
    }
    run(call);
  }

  /// Asks for approval if needed, then reserves the call's place, and runs it.
  void run(Call call) {
    try {
      if (call.isOpen() && !call.demands().isEmpty()) {
        reserve(call, consents.ask(call));
      }
      if (call.isOpen()) {
        attempt(call);
      }
    } catch (Throwable thrown) {
      call.broke(thrown);
    }
  }

  /// @param unagreed why the call may not run after a person's answer, or null
  private void reserve(Call call, @Nullable ToolResult unagreed) {
    ToolResult no = unagreed == null ? reserve(call, true) : unagreed;
    if (no != null) {
      call.outcome(no);
    }
  }

  /// The only stage with effects outside. If it fails, the call's place is released.
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

  /// What counts calls that may have begun before.
  BegunAgain begunAgain() {
    return begunAgain;
  }

  /// The result of a call that a dead process had started and that is not repeated.
  ToolResult giveUp(ToolCall call, ToolSession session) {
    Call left = arrive(call, CallOrigin.MODEL, session);
    if (left.isOpen()) {
      left.outcome(Refusal.outcomeUnknown(call));
      reservations.endOfBegun(left);
    }
    return settle(left);
  }

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
    if (session.isHeard()) {
      session.show(() -> new Event.ToolSettled(result, call.asked().name()));
    }
    if (listened) {
      listeners.settled(call, result);
    }
    return result;
  }

  /// The result of a call that the handler of another one makes.
  private ToolResult nested(Call outer, ToolCall call) {
    return execute(arrive(call, new CallOrigin.Outer(outer), outer.session()));
  }

  /// The result of a call that the runtime makes by itself.
  ToolResult own(String tool, Json arguments, ToolSession session) {
    return execute(arrive(session.own(tool, arguments), CallOrigin.RULE, session));
  }
}
