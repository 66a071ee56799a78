package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import dev.switchboard.attempt.End;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;

/// The stages that every call passes, in their order. Whatever breaks in one, the call has its
/// result.
///
/// Safe for use by several threads.
final class Pipeline {
  private final RuleBook book;
  private final CallCheck check;
  private final Consents consents;
  private final Reservations reservations;
  private final Recovery recovery;
  private final Listeners listeners;
  private final boolean listened; // whether there are any
  private final Services services;
  private final Attempts.Settings settings;

  Pipeline(
      Services services,
      Attempts.Settings settings,
      RuleBook book,
      CallCheck check,
      Consents consents,
      Reservations reservations,
      Listeners listeners) {
    this.services = services;
    this.settings = settings;
    this.book = book;
    this.check = check;
    this.consents = consents;
    this.reservations = reservations;
    this.listeners = listeners;
    listened = !listeners.all().isEmpty();
    recovery = new Recovery(check, reservations, this::probe);
  }

  /// A call has come in: it is shown, and has its place in the conversation.
  Call arrive(ToolCall call, Call.Origin origin, ToolSession session) {
    session.catchUp();
    CompiledRules rules = book.compiled(session);
    boolean ofModel = origin instanceof Call.Origin.Model;
    ToolCall clean = check.isGuarded() ? check.redacted(call, session) : call;
    ToolCall run = ofModel && !rules.empty() ? book.prefilled(clean, rules, session) : clean;
    if (session.isHeard()) {
      session.show(() -> book.called(run, !ofModel, session));
    }
    // A nested call has an id of its own making, which must not meet one of the model's.
    boolean nested = origin instanceof Call.Origin.Outer;
    CallLog.Claim claim = nested ? CallLog.Claim.NONE : session.claim(clean);
    return new Call(session, origin, clean, run, claim, rules);
  }

  /// The arrival of a call that has waited for a person.
  Call resume(ConsentRequest request, ToolSession session) {
    ToolCall call = request.call();
    CallLog.Claim claim = session.claimAgain(call);
    return new Call(session, Call.Origin.MODEL, call, call, claim, book.compiled(session));
  }

  /// The stages in order.
  ToolResult execute(Call call) {
    admit(call);
    reserve(call);
    recover(call);
    run(call);
    return settle(call);
  }

  /// Whether the call may run: known, its arguments good, allowed, no repeat. Takes nothing.
  void admit(Call call) {
    if (call.isLeft()) {
      return;
    }
    try {
      if (call.isOpen()) {
        call.refuse(check.refusal(call));
      }
    } catch (Throwable thrown) {
      call.refuse(Broken.result(call.asked(), thrown));
    }
  }

  /// Takes the place of a call that was admitted and has none, under its breaker and its rules;
  /// where a person has to agree, that comes after the answer.
  void reserve(Call call) {
    if (call.isLeft()) {
      return;
    }
    try {
      if (call.isOpen() && !call.isReserved() && call.demands().isEmpty()) {
        call.refuse(reservations.reserve(call));
      }
    } catch (Throwable thrown) {
      call.refuse(Broken.result(call.asked(), thrown));
    }
  }

  /// Finds out what became of a call that a process had begun which died, where it may run once
  /// only; admits it where it was not done.
  void recover(Call call) {
    if (call.isLeft()) {
      findOut(call);
      admit(call);
      reserve(call);
    }
  }

  /// Finds out what became of a call that a process had begun which died, where it may run once
  /// only.
  void findOut(Call call) {
    recovery.findOut(call);
  }

  /// Leaves a call outside that needs a person's consent, or repeats one that does.
  void park(Call call) {
    CallLog.LoggedCall earlier = call.earlier();
    if (earlier != null) {
      Consents.parkRepeated(call, earlier);
    } else if (call.isOpen() && !call.demands().isEmpty()) {
      consents.park(call);
    }
  }

  /// Asks the person who has to agree, after whose answer the call takes its place, and runs it.
  void run(Call call) {
    try {
      if (call.isOpen() && !call.demands().isEmpty()) {
        call.refuse(consents.ask(call));
        reserve(call);
      }
      if (call.isOpen()) {
        attempt(call);
      }
    } catch (Throwable thrown) {
      call.refuse(Broken.result(call.asked(), thrown));
    }
  }

  /// The only step that touches the world. Whatever breaks in it, the call gives its place back.
  private void attempt(Call call) {
    End end = null;
    try {
      end = call.attempted(attempts(call));
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
    return new Attempts(new RunningCall(call, this, call.tool().handler(), false), settings);
  }

  private Attempts probe(Call call, ToolHandler probe) {
    return new Attempts(new RunningCall(call, this, probe, true), settings);
  }

  ToolResult settle(Call call) {
    ToolSession session = call.session();
    CallLog.LoggedCall earlier = call.earlier();
    if (earlier != null && call.isRepeat()) {
      call.refuse(consents.repeated(call, earlier));
    }
    ToolResult result = call.settle();
    if (call.endsTurn(result)) {
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

  /// The result of a call that the tool of another makes.
  ToolResult nested(Call outer, ToolCall call) {
    return execute(arrive(call, new Call.Origin.Outer(outer), outer.session()));
  }

  /// The result of a call that the runtime makes by itself.
  ToolResult own(String tool, Json arguments, ToolSession session) {
    return execute(arrive(session.own(tool, arguments), Call.Origin.RULE, session));
  }

  /// Hands a message to the user of the conversation, in the form that guardrails leave it.
  Delivery deliver(Letter letter, ToolSession session) {
    return session.events().deliver(letter.withContent(check.said(letter.content(), session)));
  }

  Services services() {
    return services;
  }

  Consents consents() {
    return consents;
  }

  Listeners listeners() {
    return listeners;
  }
}
