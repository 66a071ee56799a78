package dev.switchboard.execution;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Asks a person for consent to a call, and decides by the answer.
///
/// Thread-safe.
final class Consents {
  private final Approver approver;
  private final ConsentPatience patience;
  private final RuleBook book;
  private final CallCheck check;
  private final Time time;

  /// @param patience how long requests stay open
  Consents(Approver approver, ConsentPatience patience, RuleBook book, CallCheck check, Time time) {
    this.approver = approver;
    this.patience = patience;
    this.book = book;
    this.check = check;
    this.time = time;
  }

  /// How long requests stay open.
  ConsentPatience patience() {
    return patience;
  }

  Time time() {
    return time;
  }

  /// Asks, and waits for the answer; returns why the call may not run, or null.
  @Nullable ToolResult ask(Call call) {
    // The person agreed to the outer call, not to the calls of its tool.
    if (call.outerCall() != null || asksNobody()) {
      return Refusal.noApprover(call.call());
    }
    long end = time.nanos() + patience.present().toNanos();
    ConsentRequest request = request(call, patience.present());
    call.begunBefore(request.begun());
    Answer answer = asked(request, approver, call.session(), end, cancel -> {});
    return answer == null ? unanswered(call, end) : answered(call, call.demands(), answer);
  }

  /// The approver for questions of handlers: the conversation's, otherwise the executor's.
  Approver ofHandlers(ToolSession session) {
    Approver host = session.approver();
    return host == null ? approver : host;
  }

  /// Whether every request is refused at once.
  boolean asksNobody() {
    return approver.equals(Approver.NOBODY);
  }

  /// The answer, waited for until that moment or the end of the conversation; null for none.
  ///
  /// @param by gives the answer
  /// @param onCancel takes an action that ends the wait from another thread
  @Nullable Answer asked(
      ConsentRequest request,
      Approver by,
      ToolSession session,
      long end,
      Consumer<Runnable> onCancel) {
    ConsentRequests.show(request, session);
    Question question = new Question(request, by);
    onCancel.accept(question::give);
    Thread asked = Thread.ofVirtual().name("approver").start(question);
    session
        .open()
        .cancellable(
            question::give,
            () -> {
              time.await(question, end);
              return null;
            });
    Answer answer = question.answer();
    if (answer == null) {
      asked.interrupt();
    }
    ConsentRequests.show(answered(request, answer, end), session);
    return answer;
  }

  private ConsentAnswer answered(ConsentRequest request, @Nullable Answer answer, long end) {
    if (answer != null) {
      return ConsentAnswer.of(request.id(), answer, "approver", book.now());
    }
    boolean late = time.nanos() - end >= 0;
    ResultCode why = late ? ResultCode.CONSENT_TIMEOUT : ResultCode.CANCELLED;
    return ConsentAnswer.none(request.id(), why, book.now());
  }

  private ToolResult unanswered(Call call, long end) {
    if (call.session().cancelled() || Thread.currentThread().isInterrupted()) {
      return Refusal.cancelled(call.call());
    }
    // An approver without an answer in time counts as absent.
    ToolResult no =
        time.nanos() - end < 0
            ? Refusal.noApprover(call.call())
            : Refusal.consentTimeout(call.call());
    return withBegun(call, no);
  }

  /// Leaves the call waiting for a later answer.
  void park(Call call) {
    ConsentRequest request = request(call, patience.of(call.session()));
    call.session().change(state -> new Ledger.Step<>(state.asking(request), state));
    ConsentRequests.show(request, call.session());
    call.park(request);
  }

  /// Leaves a repeated call waiting; it is answered together with the first.
  static void parkRepeated(Call call, CallLog.LoggedCall earlier) {
    ToolCall asked = call.asked();
    WaitingCall open = call.session().state().waiting(asked.id());
    boolean same =
        open != null
            && (open.request().call().asksTheSameAs(asked) || earlier.call().asksTheSameAs(asked));
    if (open != null && same) {
      earlier.whenSettled(
          result -> call.session().show(new Event.ToolSettled(result, asked.name())));
      call.park(open.request());
    }
  }

  /// The result of the earlier call of this id, waited for if it is the same call.
  ToolResult repeated(Call call, CallLog.LoggedCall first) {
    ToolCall asked = call.asked();
    if (!first.call().asksTheSameAs(asked)) {
      return Refusal.duplicateId(asked);
    }
    ToolResult known = first.now();
    WaitingCall open = known == null ? call.session().state().waiting(asked.id()) : null;
    if (open == null) {
      return first.await();
    }
    // An answer may never come: it waits as long as the request.
    ToolResult answered = await(first, open.request(), call.session());
    if (answered != null) {
      return answered;
    }
    return call.session().cancelled() ? Refusal.cancelled(asked) : Refusal.consentTimeout(asked);
  }

  /// The result of a call that waits for a person; null if the session is cancelled or the request
  /// expires first.
  private @Nullable ToolResult await(
      CallLog.LoggedCall waiting, ConsentRequest request, ToolSession session) {
    Time.Signal settled = new Time.Signal();
    waiting.whenSettled(result -> settled.give());
    Duration left = Duration.between(book.now(), request.expiresAt());
    return session
        .open()
        .cancellable(
            settled::give,
            () -> {
              time.await(settled, time.nanos() + Durations.bounded(left).toNanos());
              return waiting.now();
            });
  }

  private ConsentRequest request(Call call, Duration open) {
    return new ConsentRequest(
        call.session().conversationId(),
        call.call(),
        call.tool().definition().mode(),
        call.demands(),
        book.now().plus(open).truncatedTo(ChronoUnit.MILLIS),
        RestartLimit.before(call.call().id(), call.session()));
  }

  /// Why a call may not run after that answer, or null.
  ///
  /// @param asked the reasons that the person read
  @Nullable ToolResult answered(Call call, List<ConsentRequest.Demand> asked, Answer answer) {
    return switch (answer) {
      case Answer.Denied denied ->
          withBegun(call, Refusal.consentDenied(call.call(), denied.reason()));
      case Answer.Nobody() -> withBegun(call, Refusal.noApprover(call.call()));
      case Answer.Approved approved -> agreed(call, asked, approved);
    };
  }

  /// The refusal, which says if the call may have begun before.
  static ToolResult withBegun(Call call, ToolResult refusal) {
    ConsentRequest.Begun before = call.begunBefore();
    return before == null
        ? refusal
        : refusal.toBuilder().error(refusal.error() + " " + before.sentence()).build();
  }

  private @Nullable ToolResult agreed(
      Call call, List<ConsentRequest.Demand> asked, Answer.Approved approved) {
    Json edited = approved.arguments();
    if (edited != null) {
      call.edit(edited);
    }
    ToolResult no = check.refusalOfAgreed(call);
    if (no == null && edited != null) {
      no = check.refusalByGuard(call);
    }
    if (no == null) {
      call.demand(List.of());
    }
    if (approved.lasts() && no == null) {
      book.demands()
          .grant(call.compiled(), call.call().arguments(), call.session(), asked, approved);
    }
    return no;
  }
}
