package dev.switchboard.state;

import dev.switchboard.consent.ConsentRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// How often the calls of a conversation were begun whose process died, so that one which ends its
/// process does not run for ever.
///
/// @param begun calls that may begin again, since their process died or a person allowed them, and
///   questions to the model, in order
/// @param givenUp ids of those of the latest turn that have begun too often
public record Restarts(List<Started> begun, List<String> givenUp) {
  /// How often a call begins, and how many are given up in a turn before the turn is, too.
  public static final int MOST = 3;

  private static final int KEPT = 1000;

  /// No call has begun.
  public static final Restarts NONE = new Restarts(List.of(), List.of());

  public Restarts {
    begun = List.copyOf(begun);
    givenUp = List.copyOf(givenUp);
  }

  /// A call whose end is unknown.
  ///
  /// @param id of the call, or the key of the line of a question to the model
  /// @param runs how often it was begun
  /// @param probes how often a probe was to determine its outcome
  /// @param at when it began last; null if that is unknown
  public record Started(String id, int runs, int probes, @Nullable Instant at) {
    private Started again(boolean probe, Instant now) {
      return probe ? new Started(id, runs, probes + 1, at) : new Started(id, runs + 1, probes, now);
    }

    /// Whether it has begun too often to begin once more.
    public boolean isTooOften() {
      return runs > MOST || probes > MOST;
    }
  }

  /// The call of that id; null if it has not begun.
  public @Nullable Started of(String id) {
    return begun.stream().filter(started -> started.id.equals(id)).findFirst().orElse(null);
  }

  /// How the call of a request that is asked again may have begun before, null if it has not.
  ///
  /// @param notDone whether a probe has found that it was not done
  public static ConsentRequest.@Nullable Begun before(
      ConsentRequest request, ConversationState state, boolean notDone) {
    Started began = state.restarts().of(request.id());
    if (began != null) {
      return new ConsentRequest.Begun(began.at, notDone);
    }
    return notDone || state.hasBegun(request.id())
        ? new ConsentRequest.Begun(null, notDone)
        : request.begun();
  }

  /// The requests that can be asked again at that moment, as they would be: a process took their
  /// answers and counts as dead.
  public static List<ConsentRequest> left(ConversationState state, Instant now) {
    return state.waiting().stream()
        .filter(call -> call.isOpenAgain(now))
        .map(call -> call.request().with(before(call.request(), state, false)))
        .toList();
  }

  /// These after a call, or a probe of it, begins.
  ///
  /// @param before how often the call had begun if that was not counted
  Restarts beginning(String id, boolean probe, int before, Instant now) {
    Started known = of(id);
    List<Started> next = new ArrayList<>(without(id).begun);
    next.add((known == null ? new Started(id, before, 0, null) : known).again(probe, now));
    return new Restarts(next.subList(Math.max(0, next.size() - KEPT), next.size()), givenUp);
  }

  /// These after a call was given up.
  Restarts givingUp(String id) {
    List<String> next = new ArrayList<>(givenUp);
    next.add(id);
    return new Restarts(without(id).begun, next.subList(0, Math.min(next.size(), MOST)));
  }

  /// These without the call of that id, whose end is known.
  Restarts without(String id) {
    return of(id) == null ? this : only(started -> !started.id.equals(id));
  }

  /// These in the next turn, in which only calls continue that wait for a person.
  Restarts nextTurn(Predicate<String> waits) {
    return new Restarts(only(started -> waits.test(started.id)).begun, List.of());
  }

  private Restarts only(Predicate<Started> kept) {
    return new Restarts(begun.stream().filter(kept).toList(), givenUp);
  }

  /// Whether the turn is to end, since too many of its calls have ended their process.
  public boolean areTooMany() {
    return givenUp.size() >= MOST;
  }
}
