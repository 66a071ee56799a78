package dev.switchboard.execution;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.consent.Demand;
import dev.switchboard.execution.ConversationState.Waiting;
import dev.switchboard.json.Json;
import dev.switchboard.time.Signal;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Asking a person whether a call may run, and what follows from the answer.
record Consents(Approver approver, Duration patience, RuleBook book, Gate gate, Time time) {
  private static final System.Logger LOG = System.getLogger(ToolExecutor.class.getName());

  /// Asks, and waits for the answer as long as a request may wait.
  Admission ask(Ticket ticket, List<Demand> demands) {
    // The person agreed to the outer call, not to what its tool makes of it.
    if (ticket.arrival().outer() != null || approver.equals(Approver.NOBODY)) {
      return new Admission.Refused(Refusal.noApprover(ticket.call()));
    }
    ToolSession session = ticket.session();
    ConsentRequest request = request(ticket, demands);
    show(request, session);
    Question question = new Question(request);
    Thread asked = Thread.ofVirtual().name("approver").start(question);
    session.whileAsking(question, () -> time.await(question, time.nanos() + patience.toNanos()));
    Answer answer = question.answer;
    if (answer != null) {
      return answered(ticket.arrival(), answer);
    }
    asked.interrupt();
    boolean ended = session.cancelled() || Thread.currentThread().isInterrupted();
    return new Admission.Refused(
        ended ? Refusal.cancelled(ticket.call()) : Refusal.consentTimeout(ticket.call()));
  }

  /// Leaves the call waiting; the answer comes later.
  ConsentRequest park(Ticket ticket, List<Demand> demands) {
    ConsentRequest request = request(ticket, demands);
    ticket.session().ask(request);
    show(request, ticket.session());
    return request;
  }

  private ConsentRequest request(Ticket ticket, List<Demand> demands) {
    return new ConsentRequest(
        ticket.session().conversationId(),
        ticket.asked(),
        ticket.tool().definition().mode(),
        demands,
        book.now().plus(patience).truncatedTo(ChronoUnit.MILLIS));
  }

  private static void show(ConsentRequest request, ToolSession session) {
    session.show(() -> new Event.AgentEvent("consent_request", request.json()));
  }

  /// The open request that this answers, now in the hands of whoever asks; null when there is none.
  ///
  /// @throws IllegalArgumentException when the arguments put in are not good ones
  @Nullable ConsentRequest take(String id, Answer answer, ToolSession session) {
    Instant now = book.now();
    Waiting known = session.state().waiting(id);
    if (known != null && answer instanceof Answer.Approved(var holds, Json edited)) {
      gate.checkArguments(known.request().call().name(), edited);
    }
    return session.take(id, now, waiting -> waiting.isOpen(now));
  }

  /// The requests whose time is over, each now in the hands of whoever asks; also those of a
  /// process that died with them.
  List<ConsentRequest> expired(ToolSession session) {
    Instant now = book.now();
    return session.state().waiting().stream()
        .filter(waiting -> waiting.isOver(now))
        .map(waiting -> session.take(waiting.request().id(), now, w -> w.isOver(now)))
        .filter(Objects::nonNull)
        .toList();
  }

  /// What becomes of a call after that answer.
  Admission answered(Arrival arrival, Answer answer) {
    ToolCall call = arrival.call();
    return switch (answer) {
      case Answer.Denied(var reason) -> new Admission.Refused(Refusal.consentDenied(call, reason));
      case Answer.Nobody() -> new Admission.Refused(Refusal.noApprover(call));
      case Answer.Approved approved -> agreed(arrival, approved);
    };
  }

  private Admission agreed(Arrival arrival, Answer.Approved approved) {
    ToolCall call = arrival.call();
    Json edited = approved.arguments();
    Arrival agreed =
        edited == null ? arrival : arrival.with(new ToolCall(call.id(), call.name(), edited));
    Admission admission = gate.admitAgreed(agreed);
    if (approved.lasts() && admission instanceof Admission.Ready(var ticket)) {
      book.grant(ticket.tool(), ticket.accepted().arguments(), approved.holds());
    }
    return admission;
  }

  /// A question on its way to the approver and back.
  private final class Question extends Signal implements Runnable {
    private final ConsentRequest request;
    private volatile @Nullable Answer answer;

    Question(ConsentRequest request) {
      this.request = request;
    }

    @Override
    public void run() {
      try {
        answer = approver.ask(request);
      } catch (InterruptedException e) {
        // The request is over, and nobody waits for the answer.
        Thread.currentThread().interrupt();
      } catch (Throwable thrown) {
        // Also an Error: whoever cannot be asked is not there.
        LOG.log(Level.WARNING, "the approver threw " + thrown.getClass().getName());
        LOG.log(Level.DEBUG, "the approver threw", thrown);
        answer = new Answer.Nobody();
      } finally {
        give();
      }
    }
  }
}
