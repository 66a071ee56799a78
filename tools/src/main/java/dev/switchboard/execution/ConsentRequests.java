package dev.switchboard.execution;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.consent.ConsentRequest.Begun;
import dev.switchboard.handler.Tool;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.Restarts;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The requests for consent that a conversation has stored: each is answered, taken by the process
/// that carries its answer out, opened again if that process died, and closed with its call.
///
/// Thread-safe.
final class ConsentRequests {
  // The time for the process that took a waiting call, in addition to the call's deadline; then the
  // call counts as abandoned.
  private static final Duration LEEWAY = Duration.ofSeconds(15);

  private final RuleBook book;
  private final CallCheck check;

  ConsentRequests(RuleBook book, CallCheck check) {
    this.book = book;
    this.check = check;
  }

  /// Shows a request.
  static void show(ConsentRequest request, ToolSession session) {
    session.show(() -> new Event.AgentEvent("consent_request", request.json()));
  }

  /// Shows an answer.
  static void show(ConsentAnswer answer, ToolSession session) {
    session.show(() -> new Event.AgentEvent(ConsentAnswer.EVENT, answer.json()));
  }

  /// Takes the open request of this answer, so that only the caller carries it out; null if there
  /// is none.
  ///
  /// @throws IllegalArgumentException when changed arguments are not valid
  /// @throws RuntimeException when the store cannot be read or written
  @Nullable ConsentRequest take(String id, Answer answer, ToolSession session) {
    Instant now = book.now();
    checkArguments(id, answer, session);
    ConsentAnswer given = ConsentAnswer.of(id, answer, "host", now);
    return take(given, answer, session, now, waiting -> waiting.isOpen(now));
  }

  private void checkArguments(String id, Answer answer, ToolSession session) {
    WaitingCall known = known(id, session);
    if (known != null && answer instanceof Answer.Approved approved) {
      check.checkArguments(known.request().call().name(), approved.arguments(), session);
    }
  }

  /// Stores an answer to an open request, whose call is settled later, and reports it; false if
  /// there is no such request.
  ///
  /// @throws IllegalArgumentException when changed arguments are not valid
  /// @throws RuntimeException when the store cannot be read or written
  boolean decide(String id, Answer answer, ToolSession session) {
    Instant now = book.now();
    checkArguments(id, answer, session);
    ConsentAnswer given = ConsentAnswer.of(id, answer, "host", now);
    boolean kept =
        session.change(state -> {
          WaitingCall known = state.waiting(id);
          return known == null || !known.isOpen(now)
              ? new Ledger.Step<>(state, false)
              : new Ledger.Step<>(state.decided(id, answer).answered(given), true);
        });
    if (kept) {
      show(given, session);
    }
    return kept;
  }

  /// Takes the requests with stored answers that no process carries out, also those whose call a
  /// turn here could not begin.
  List<WaitingCall> takeDecided(ToolSession session) {
    Instant now = book.now();
    List<WaitingCall> taken = new ArrayList<>();
    closeSettled(session);
    for (WaitingCall waiting : session.state().waiting()) {
      String id = waiting.request().id();
      boolean mine =
          isDecided(waiting, session.state(), session)
              && session.change(state -> {
                WaitingCall known = state.waiting(id);
                return known == null || !isDecided(known, state, session)
                    ? new Ledger.Step<>(state, false)
                    : new Ledger.Step<>(
                        state.taken(id, now.plus(lease(waiting.request(), session))), true);
              });
      if (mine) {
        taken.add(waiting);
        // The process that stored it may not have reported it yet.
        logAnswer(id, session);
      }
    }
    return taken;
  }

  /// While this process has the conversation for a turn, no other carries out an answer.
  private static boolean isDecided(
      WaitingCall waiting, ConversationState state, ToolSession session) {
    String id = waiting.request().id();
    boolean alone = session.lease().runsResumableTurn() && !session.open().isRunning(id);
    boolean waits = state.hasNotBegun(id) || session.open().wasAbandoned(id);
    return waiting.isDecided() || alone && waiting.answer() != null && waits;
  }

  /// Closes the requests of calls that have a result.
  static void closeSettled(ToolSession session) {
    for (WaitingCall waiting : session.state().waiting()) {
      if (session.result(waiting.request().id()) != null) {
        close(waiting.request(), session);
      }
    }
  }

  private static @Nullable WaitingCall known(String id, ToolSession session) {
    WaitingCall known = session.state().waiting(id);
    // Another process may have asked.
    return known == null ? session.refresh().waiting(id) : known;
  }

  /// Takes a waiting request, so that no other process runs its call; null if it is not in the
  /// expected state.
  ///
  /// @param kept an answer to be stored again if the call cannot begin, null for none
  private @Nullable ConsentRequest take(
      ConsentAnswer given,
      @Nullable Answer kept,
      ToolSession session,
      Instant now,
      Predicate<WaitingCall> wanted) {
    String id = given.id();
    ConsentRequest taken =
        session.change(state -> {
          WaitingCall known = state.waiting(id);
          return known == null || !wanted.test(known)
              ? new Ledger.Step<ConversationState, @Nullable ConsentRequest>(state, null)
              : new Ledger.Step<ConversationState, @Nullable ConsentRequest>(
                  (kept == null ? state : state.decided(id, kept))
                      .taken(id, now.plus(lease(known.request(), session)))
                      .answered(given),
                  known.request());
        });
    if (taken != null && session.result(taken.call().id()) != null) {
      // Its call was settled, but the request was not closed.
      close(taken, session);
      return null;
    }
    if (taken != null) {
      show(given, session);
    }
    return taken;
  }

  private Duration lease(ConsentRequest request, ToolSession session) {
    Tool tool = book.find(request.call().name(), session);
    return tool == null ? LEEWAY : tool.options().deadline().plus(LEEWAY);
  }

  /// Removes the request of a settled call.
  static void close(ConsentRequest request, ToolSession session) {
    try {
      session.change(state -> new Ledger.Step<>(state.without(request.id()), state));
    } catch (RuntimeException thrown) {
      // The call has its result; the request is closed when it expires.
      Broken.warn("a request was not closed", session, thrown);
    }
  }

  /// The ids of expired requests, including those of dead processes.
  List<String> overdue(ToolSession session) {
    Instant now = book.now();
    return session.state().waiting().stream()
        .filter(waiting -> waiting.isOver(now))
        .map(WaitingCall::request)
        .filter(request -> !session.open().isRunning(request.id()))
        .map(ConsentRequest::id)
        .toList();
  }

  /// Reopens requests whose answering process died; closes those whose call it had settled.
  void reopen(ToolSession session) {
    Instant now = book.now();
    for (WaitingCall waiting : session.state().waiting()) {
      String id = waiting.request().id();
      Instant latest = now.plus(lease(waiting.request(), session));
      if (waiting.takenUntil() != null && waiting.takenUntil().isAfter(latest)) {
        // The clock was set back: no process holds an answer for longer.
        session.change(state -> new Ledger.Step<>(state.taken(id, latest), state));
      } else if (waiting.isOpenAgain(now) && !session.open().isRunning(id)) {
        reopen(id, session, false, known -> known.isOpenAgain(now));
      }
    }
  }

  /// Takes the requests of begun calls that may run only once and whose process died.
  List<ConsentRequest> takeBegun(ToolSession session) {
    Instant now = book.now();
    List<ConsentRequest> taken = new ArrayList<>();
    for (WaitingCall waiting : session.state().waiting()) {
      ConsentRequest request = waiting.request();
      boolean mine =
          isLeftBegun(waiting.request().id(), session.state(), now)
              && !session.open().isRunning(request.id())
              && session.change(state ->
                  isLeftBegun(request.id(), state, now)
                      ? new Ledger.Step<>(
                          state.taken(request.id(), now.plus(lease(request, session))), true)
                      : new Ledger.Step<>(state, false));
      if (mine) {
        taken.add(request);
      }
    }
    return taken;
  }

  private static boolean isLeftBegun(String id, ConversationState state, Instant now) {
    WaitingCall waiting = state.waiting(id);
    return waiting != null && waiting.isLeft(now) && state.hasBegun(id);
  }

  /// Asks again about a call that was not done, as its tool's probe has found.
  static void askAgain(ConsentRequest request, ToolSession session) {
    reopen(request.id(), session, true, known -> true);
  }

  /// As [#reopen], at once, if the process with the answer is known to be dead.
  void reopenLeft(ToolSession session) {
    for (WaitingCall waiting : session.state().waiting()) {
      String id = waiting.request().id();
      if (waiting.takenUntil() != null && session.state().hasBegun(id)) {
        // Its outcome is looked up before anyone is asked.
        session.change(state -> new Ledger.Step<>(state.taken(id, Instant.EPOCH), state));
      } else if (waiting.takenUntil() != null) {
        reopen(id, session, false, known -> known.takenUntil() != null);
      }
    }
  }

  /// @param notDone whether a probe has found that the call was not done
  private static void reopen(
      String id, ToolSession session, boolean notDone, Predicate<WaitingCall> wanted) {
    WaitingCall waiting = session.state().waiting(id);
    if (waiting != null && session.result(id) != null) {
      close(waiting.request(), session);
      return;
    }
    ConsentRequest reopened =
        session.change(state -> {
          WaitingCall known = state.waiting(id);
          if (known == null || !wanted.test(known)) {
            return new Ledger.Step<ConversationState, @Nullable ConsentRequest>(state, null);
          }
          Answer answer = known.answer();
          if (!notDone && answer != null && state.hasNotBegun(id)) {
            return new Ledger.Step<ConversationState, @Nullable ConsentRequest>(
                state.decided(id, answer), null);
          }
          Begun before = Restarts.before(known.request(), state, notDone);
          ConversationState next = state.taken(id, null).withBegun(id, before);
          return new Ledger.Step<ConversationState, @Nullable ConsentRequest>(
              next, known.request().with(before));
        });
    if (reopened != null) {
      logReopened(reopened, session);
    }
  }

  /// Logs an open request that had an answer, and the answer, if the log lacks them.
  static void logReopened(ConsentRequest request, ToolSession session) {
    ConsentAnswer before = logAnswer(request.id(), session);
    if (before != null) {
      String key = "consent_request/%s/%d".formatted(request.id(), before.at().toEpochMilli());
      session.events().show(key, new Event.AgentEvent("consent_request", request.json()));
    }
  }

  /// Logs the answer to a request, if the log lacks it; null if there is none.
  private static @Nullable ConsentAnswer logAnswer(String id, ToolSession session) {
    ConsentAnswer answer = session.state().answer(id);
    if (answer != null) {
      session.events().append(() -> new Event.AgentEvent(ConsentAnswer.EVENT, answer.json()));
    }
    return answer;
  }

  /// Takes the request, if it has expired and no process has it.
  @Nullable ConsentRequest takeOverdue(String id, ToolSession session) {
    Instant now = book.now();
    try {
      ConsentAnswer none = ConsentAnswer.none(id, ResultCode.CONSENT_TIMEOUT, now);
      return take(none, null, session, now, waiting -> waiting.isOver(now));
    } catch (RuntimeException thrown) {
      // It stays for the next time.
      Broken.warn("a request was not expired", session, thrown);
      return null;
    }
  }
}
