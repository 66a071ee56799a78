package dev.switchboard.execution;

import dev.switchboard.consent.ConsentAnswer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.rule.RuleState;
import dev.switchboard.rule.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the door remembers of a conversation beside its calls: a value, to be stored and restored.
///
/// @param turn its number, from 0
/// @param rules what the rules remember
/// @param exit why the turn takes no more calls, null while it does
/// @param waiting calls that a person has been asked about, in their order
/// @param running ids of this turn's calls whose start the rules have counted, and whose end not
/// @param answers what became of the latest requests for consent, in their order
public record SessionState(
    int turn,
    RuleState rules,
    @Nullable StopReason exit,
    List<Waiting> waiting,
    Set<String> running,
    List<ConsentAnswer> answers) {
  private static final int ANSWERS_KEPT = 32;

  /// Of a conversation that begins.
  public static final SessionState NEW =
      new SessionState(0, RuleState.NEW, null, List.of(), Set.of());

  public SessionState {
    waiting = List.copyOf(waiting);
    running = Collections.unmodifiableSet(new LinkedHashSet<>(running));
    answers = List.copyOf(answers);
  }

  /// A state that knows of no answer.
  public SessionState(
      int turn,
      RuleState rules,
      @Nullable StopReason exit,
      List<Waiting> waiting,
      Set<String> running) {
    this(turn, rules, exit, waiting, running, List.of());
  }

  /// A call that a person has been asked about.
  ///
  /// @param takenUntil until when whoever has the answer may run it, null while there is none
  public record Waiting(ConsentRequest request, @Nullable Instant takenUntil) {
    /// Whether an answer is still wanted.
    boolean isOpen(Instant now) {
      return takenUntil == null && now.isBefore(request.expiresAt());
    }

    /// Whether nobody has answered in time.
    boolean isOver(Instant now) {
      return !now.isBefore(request.expiresAt()) && !isTaken(now);
    }

    /// Whether whoever had the answer is gone, while another one is still in time.
    boolean isOpenAgain(Instant now) {
      return takenUntil != null && !isTaken(now) && now.isBefore(request.expiresAt());
    }

    private boolean isTaken(Instant now) {
      return takenUntil != null && now.isBefore(takenUntil);
    }
  }

  SessionState withRules(RuleState next) {
    return next.equals(rules)
        ? this
        : new SessionState(turn, next, exit, waiting, running, answers);
  }

  SessionState exited(StopReason reason) {
    return exit == null ? exitedFor(reason) : this;
  }

  /// The state of a turn that has ended, for that reason.
  SessionState exitedFor(StopReason reason) {
    return new SessionState(turn, rules, reason, waiting, running, answers);
  }

  SessionState turn(int number) {
    return new SessionState(number, rules.nextTurn(), null, waiting, Set.of(), answers);
  }

  @Nullable Waiting waiting(String id) {
    return waiting.stream().filter(w -> w.request().id().equals(id)).findFirst().orElse(null);
  }

  SessionState asking(ConsentRequest request) {
    List<Waiting> next = new ArrayList<>(waiting);
    next.add(new Waiting(request, null));
    return withWaiting(next);
  }

  /// @param until null where whoever had the answer is gone
  SessionState taken(String id, @Nullable Instant until) {
    return withWaiting(
        waiting.stream()
            .map(w -> w.request().id().equals(id) ? new Waiting(w.request(), until) : w)
            .toList());
  }

  /// What became of the request of that id; null while it waits, or where it is long ago.
  public @Nullable ConsentAnswer answer(String id) {
    return answers.stream().filter(known -> known.id().equals(id)).findFirst().orElse(null);
  }

  /// The state after a request was answered so, for the last time.
  SessionState answered(ConsentAnswer answer) {
    List<ConsentAnswer> next = new ArrayList<>(answers);
    next.removeIf(known -> known.id().equals(answer.id()));
    next.add(answer);
    List<ConsentAnswer> latest = next.subList(Math.max(0, next.size() - ANSWERS_KEPT), next.size());
    return new SessionState(turn, rules, exit, waiting, running, latest);
  }

  SessionState without(String id) {
    return withWaiting(waiting.stream().filter(w -> !w.request().id().equals(id)).toList());
  }

  private SessionState withWaiting(List<Waiting> next) {
    return new SessionState(turn, rules, exit, next, running, answers);
  }

  /// The state after a call has started, and the rules have counted that.
  SessionState started(String id, RuleState counted) {
    Set<String> next = new LinkedHashSet<>(running);
    next.add(id);
    return new SessionState(turn, counted, exit, waiting, next, answers);
  }

  /// The state after a call has ended, or has not started after all.
  SessionState ended(String id, RuleState counted) {
    Set<String> next = new LinkedHashSet<>(running);
    next.remove(id);
    return new SessionState(turn, counted, exit, waiting, next, answers);
  }
}
