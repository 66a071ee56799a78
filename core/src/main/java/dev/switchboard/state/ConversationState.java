package dev.switchboard.state;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.RuleState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// All that is remembered of a conversation beside its lines: a value, to be stored and restored.
///
/// @param turn the number of its latest turn, whoever began it; 0 before the first
/// @param loop where an agent's loop stands in it
/// @param lease who goes on with it
/// @param rules what the rules remember
/// @param exit why the turn takes no more calls, null while it does
/// @param waiting calls that a person has been asked about, in their order
/// @param running ids of this turn's calls whose start the rules have counted, and whose end not
/// @param answers what became of the latest requests for consent, in their order
/// @param begun calls that may run once only and whose end is not known, in their order; they
///   outlive their turn
public record ConversationState(
    int turn,
    LoopState loop,
    Lease lease,
    RuleState rules,
    @Nullable StopReason exit,
    List<Waiting> waiting,
    Set<String> running,
    List<ConsentAnswer> answers,
    List<Begun> begun) {
  private static final int ANSWERS_KEPT = 32;
  // Of processes that died and calls that no one made again.
  private static final int BEGUN_KEPT = 1000;

  /// Of a conversation that begins.
  public static final ConversationState NEW =
      new ConversationState(0, RuleState.NEW, null, List.of(), Set.of());

  public ConversationState {
    waiting = List.copyOf(waiting);
    running =
        running.isEmpty() ? Set.of() : Collections.unmodifiableSet(new LinkedHashSet<>(running));
    answers = List.copyOf(answers);
    begun = List.copyOf(begun);
  }

  /// A state without calls that have begun and may run once only.
  public ConversationState(
      int turn,
      LoopState loop,
      Lease lease,
      RuleState rules,
      @Nullable StopReason exit,
      List<Waiting> waiting,
      Set<String> running,
      List<ConsentAnswer> answers) {
    this(turn, loop, lease, rules, exit, waiting, running, answers, List.of());
  }

  /// A call that may run once only and has begun.
  ///
  /// @param root the call of the model's or of a rule's that it is a part of: itself, unless a tool
  ///   made it
  public record Begun(String id, String root) {}

  /// A state that knows of no answer.
  public ConversationState(
      int turn,
      RuleState rules,
      @Nullable StopReason exit,
      List<Waiting> waiting,
      Set<String> running) {
    this(turn, LoopState.NEW, Lease.NONE, rules, exit, waiting, running, List.of(), List.of());
  }

  /// Who goes on with a conversation.
  ///
  /// @param fence how many processes have taken it up, one after the other: whoever writes in it
  ///   names the number that it was then, so that one that has slept through its time writes
  ///   nothing any more
  /// @param until when it is free again if the one that has it says nothing more; null while it is
  ///   free
  /// @param host that has it, of which there is one at a time, such as the server of a storage;
  ///   null for any other
  public record Lease(long fence, @Nullable Instant until, @Nullable String host) {
    /// Of a conversation that nobody has taken up.
    public static final Lease NONE = new Lease(0, null);

    /// The lease of a host of which there may be several.
    public Lease(long fence, @Nullable Instant until) {
      this(fence, until, null);
    }
  }

  /// When somebody has to look after it, null for never: whoever has it is to be taken for dead
  /// then. Of one that nobody has, the first open request is over, or who runs a call by an answer
  /// is to be taken for dead; at once where an answer is to be carried out, or a turn waits though
  /// every request was settled, as whoever answers from another process leaves it.
  public @Nullable Instant due() {
    if (lease.until != null) {
      return lease.until;
    }
    return loop.waiting() && waiting.isEmpty()
        ? Instant.EPOCH
        : waiting.stream().map(Waiting::due).min(Comparator.naturalOrder()).orElse(null);
  }

  /// The requests that nobody has answered, in their order; also those that have expired.
  public List<ConsentRequest> unanswered() {
    return waiting.isEmpty()
        ? List.of()
        : waiting.stream().filter(Waiting::isUnanswered).map(Waiting::request).toList();
  }

  /// A call that a person has been asked about.
  ///
  /// @param takenUntil until when whoever runs it by an answer may do so, null while no one does
  /// @param answer that was kept to be carried out, null while there is none
  public record Waiting(
      ConsentRequest request, @Nullable Instant takenUntil, @Nullable Answer answer) {
    /// A call that no kept answer is to be carried out for.
    public Waiting(ConsentRequest request, @Nullable Instant takenUntil) {
      this(request, takenUntil, null);
    }

    /// Whether no answer was taken up.
    public boolean isUnanswered() {
      return takenUntil == null && answer == null;
    }

    /// Whether an answer is still wanted.
    public boolean isOpen(Instant now) {
      return isUnanswered() && now.isBefore(request.expiresAt());
    }

    /// Whether an answer was kept that no one carries out.
    public boolean isDecided() {
      return takenUntil == null && answer != null;
    }

    private Instant due() {
      if (takenUntil != null) {
        return takenUntil;
      }
      return isDecided() ? Instant.EPOCH : request.expiresAt();
    }

    /// Whether nobody has answered in time.
    public boolean isOver(Instant now) {
      return !now.isBefore(request.expiresAt()) && !isTaken(now) && !isDecided();
    }

    /// Whether whoever had the answer is gone, while another one is still in time.
    public boolean isOpenAgain(Instant now) {
      return isLeft(now) && now.isBefore(request.expiresAt());
    }

    /// Whether whoever had the answer is gone.
    public boolean isLeft(Instant now) {
      return takenUntil != null && !isTaken(now);
    }

    private boolean isTaken(Instant now) {
      return takenUntil != null && now.isBefore(takenUntil);
    }
  }

  /// This state with what the rules remember.
  public ConversationState withRules(RuleState next) {
    return next.equals(rules)
        ? this
        : new ConversationState(turn, loop, lease, next, exit, waiting, running, answers, begun);
  }

  /// This state with where the loop stands.
  public ConversationState withLoop(LoopState next) {
    return next.equals(loop)
        ? this
        : new ConversationState(turn, next, lease, rules, exit, waiting, running, answers, begun);
  }

  /// The state of a conversation that this lease is on.
  public ConversationState withLease(Lease next) {
    return new ConversationState(turn, loop, next, rules, exit, waiting, running, answers, begun);
  }

  /// The state of a turn that has ended for that reason, unless it had ended before.
  public ConversationState exited(StopReason reason) {
    return exit == null ? exitedFor(reason) : this;
  }

  /// The state of a turn that has ended, for that reason.
  public ConversationState exitedFor(StopReason reason) {
    return new ConversationState(
        turn, loop, lease, rules, reason, waiting, running, answers, begun);
  }

  /// The state at the beginning of the turn of that number.
  public ConversationState turn(int number) {
    return new ConversationState(
        number, loop, lease, rules.nextTurn(), null, waiting, Set.of(), answers, begun);
  }

  /// The call that waits under that id, or null.
  public @Nullable Waiting waiting(String id) {
    return waiting.stream().filter(w -> w.request().id().equals(id)).findFirst().orElse(null);
  }

  /// The state after a person was asked so.
  public ConversationState asking(ConsentRequest request) {
    List<Waiting> next = new ArrayList<>(waiting);
    next.add(new Waiting(request, null));
    return withWaiting(next);
  }

  /// The state after a call began to be run by the answer to its request, or was given back by
  /// someone who is gone: then it may have run, and is asked about again.
  ///
  /// @param until null where it was given back
  public ConversationState taken(String id, @Nullable Instant until) {
    return replacing(
        id, known -> new Waiting(known.request, until, until == null ? null : known.answer));
  }

  /// The state after an answer was kept, to be carried out.
  public ConversationState decided(String id, Answer answer) {
    return replacing(id, known -> new Waiting(known.request, null, answer));
  }

  private ConversationState replacing(String id, UnaryOperator<Waiting> change) {
    return withWaiting(
        waiting.stream()
            .map(known -> known.request().id().equals(id) ? change.apply(known) : known)
            .toList());
  }

  /// What became of the request of that id; null while it waits, or where it is long ago.
  public @Nullable ConsentAnswer answer(String id) {
    return answers.stream().filter(known -> known.id().equals(id)).findFirst().orElse(null);
  }

  /// The state after a request was answered so, for the last time.
  public ConversationState answered(ConsentAnswer answer) {
    List<ConsentAnswer> next = new ArrayList<>(answers);
    next.removeIf(known -> known.id().equals(answer.id()));
    next.add(answer);
    List<ConsentAnswer> latest = next.subList(Math.max(0, next.size() - ANSWERS_KEPT), next.size());
    return new ConversationState(turn, loop, lease, rules, exit, waiting, running, latest, begun);
  }

  /// The state without the request of that id.
  public ConversationState without(String id) {
    return withWaiting(waiting.stream().filter(w -> !w.request().id().equals(id)).toList());
  }

  private ConversationState withWaiting(List<Waiting> next) {
    return new ConversationState(turn, loop, lease, rules, exit, next, running, answers, begun);
  }

  /// The state after a call has started, and the rules have counted that.
  public ConversationState started(String id, RuleState counted) {
    Set<String> next = new LinkedHashSet<>(running);
    next.add(id);
    return new ConversationState(turn, loop, lease, counted, exit, waiting, next, answers, begun);
  }

  /// The state after a call has ended, or has not started after all.
  public ConversationState ended(String id, RuleState counted) {
    Set<String> next = new LinkedHashSet<>(running);
    next.remove(id);
    return new ConversationState(
        turn,
        loop,
        lease,
        counted,
        exit,
        waiting,
        next,
        answers,
        without(call -> call.root.equals(id)));
  }

  /// Whether the call of that id has begun, may run once only, and its end is not known.
  public boolean hasBegun(String id) {
    return !begun.isEmpty() && begun.stream().anyMatch(call -> call.id.equals(id));
  }

  /// Whether such a call has begun that is a part of the one of that id, or is this one.
  public boolean hasBegunWithin(String id) {
    return !begun.isEmpty() && begun.stream().anyMatch(call -> call.root.equals(id));
  }

  /// The state after a call has begun that may run once only.
  public ConversationState beginning(Begun call) {
    List<Begun> next = new ArrayList<>(without(call::equals));
    next.add(call);
    return withBegun(next.subList(Math.max(0, next.size() - BEGUN_KEPT), next.size()));
  }

  /// The state without the beginning of the call of that id: it was not done.
  public ConversationState notBegun(String id) {
    return hasBegun(id) ? withBegun(without(call -> call.id.equals(id))) : this;
  }

  private List<Begun> without(Predicate<Begun> gone) {
    return begun.isEmpty() ? begun : begun.stream().filter(Predicate.not(gone)).toList();
  }

  private ConversationState withBegun(List<Begun> next) {
    return new ConversationState(turn, loop, lease, rules, exit, waiting, running, answers, next);
  }
}
