package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.rule.RuleState;
import dev.switchboard.rule.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the door remembers of a conversation beside its calls: a value, to be stored and restored.
///
/// @param turn its number, from 0
/// @param rules what the rules remember
/// @param exit why the turn takes no more calls, null while it does
/// @param waiting calls that a person has been asked about, in their order
public record SessionState(
    int turn, RuleState rules, @Nullable StopReason exit, List<Waiting> waiting) {
  /// Of a conversation that begins.
  public static final SessionState NEW = new SessionState(0, RuleState.NEW, null, List.of());

  public SessionState {
    waiting = List.copyOf(waiting);
  }

  /// A call that a person has been asked about.
  ///
  /// @param takenUntil until when whoever has the answer may run it, null while there is none
  public record Waiting(ConsentRequest request, @Nullable Instant takenUntil) {
    /// Whether an answer is still wanted.
    boolean isOpen(Instant now) {
      return takenUntil == null && now.isBefore(request.expiresAt());
    }

    /// Whether nobody has answered in time, or whoever ran the call is gone.
    boolean isOver(Instant now) {
      return !now.isBefore(takenUntil == null ? request.expiresAt() : takenUntil);
    }
  }

  SessionState withRules(RuleState next) {
    return next.equals(rules) ? this : new SessionState(turn, next, exit, waiting);
  }

  SessionState exited(StopReason reason) {
    return exit == null ? new SessionState(turn, rules, reason, waiting) : this;
  }

  SessionState turn(int number) {
    return new SessionState(number, rules.nextTurn(), null, waiting);
  }

  @Nullable Waiting waiting(String id) {
    return waiting.stream().filter(w -> w.request().id().equals(id)).findFirst().orElse(null);
  }

  SessionState asking(ConsentRequest request) {
    List<Waiting> next = new ArrayList<>(waiting);
    next.add(new Waiting(request, null));
    return new SessionState(turn, rules, exit, next);
  }

  SessionState taken(String id, Instant until) {
    return new SessionState(
        turn,
        rules,
        exit,
        waiting.stream()
            .map(w -> w.request().id().equals(id) ? new Waiting(w.request(), until) : w)
            .toList());
  }

  SessionState without(String id) {
    return new SessionState(
        turn, rules, exit, waiting.stream().filter(w -> !w.request().id().equals(id)).toList());
  }
}
