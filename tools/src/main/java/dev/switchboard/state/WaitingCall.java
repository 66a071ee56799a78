package dev.switchboard.state;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A call that waits for a person's consent.
///
/// @param takenUntil until when a process may run it after an answer, null while none does
/// @param answer that is stored and whose call has not run yet, null for none
public record WaitingCall(
    ConsentRequest request, @Nullable Instant takenUntil, @Nullable Answer answer) {
  /// A call without a stored answer.
  public WaitingCall(ConsentRequest request, @Nullable Instant takenUntil) {
    this(request, takenUntil, null);
  }

  /// Whether it has no answer.
  public boolean isUnanswered() {
    return takenUntil == null && answer == null;
  }

  /// Whether an answer is still wanted.
  public boolean isOpen(Instant now) {
    return isUnanswered() && now.isBefore(request.expiresAt());
  }

  /// Whether an answer is stored and no process carries it out.
  public boolean isDecided() {
    return takenUntil == null && answer != null;
  }

  /// When it needs attention.
  Instant due() {
    if (takenUntil != null) {
      return takenUntil;
    }
    return isDecided() ? Instant.EPOCH : request.expiresAt();
  }

  /// Whether it has expired without an answer.
  public boolean isOver(Instant now) {
    return !now.isBefore(request.expiresAt()) && !isTaken(now) && !isDecided();
  }

  /// Whether the process that had the answer is dead, and another answer would be in time.
  public boolean isOpenAgain(Instant now) {
    return isLeft(now) && now.isBefore(request.expiresAt());
  }

  /// Whether the process that had the answer is dead.
  public boolean isLeft(Instant now) {
    return takenUntil != null && !isTaken(now);
  }

  private boolean isTaken(Instant now) {
    return takenUntil != null && now.isBefore(takenUntil);
  }

  /// The call after a process began to run it, or after a dead process's call was released.
  ///
  /// @param until null if it was released
  WaitingCall taken(@Nullable Instant until) {
    return new WaitingCall(request, until, until == null ? null : answer);
  }

  /// The call after an answer was stored.
  WaitingCall decided(Answer stored) {
    return new WaitingCall(request, null, stored);
  }

  /// The call, whose request says how it may have begun before.
  WaitingCall begun(ConsentRequest.@Nullable Begun before) {
    return new WaitingCall(request.with(before), takenUntil, answer);
  }
}
