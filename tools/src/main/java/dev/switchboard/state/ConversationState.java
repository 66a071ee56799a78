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

/// The state of a conversation beside its transcript: a value, to be stored and restored.
///
/// @param turn the number of its latest turn, of any host; 0 before the first
/// @param loop the state of the agent's loop
/// @param lease the process that holds it
/// @param rules the state of the rules
/// @param exit why the turn accepts no more calls, null while it does
/// @param waiting calls that wait for a person's consent, in order
/// @param running ids of this turn's calls whose start the rules have counted, but not their end
/// @param answers the outcomes of the latest requests for consent, in order
/// @param begun calls that may run only once and whose end is unknown, in order; they outlive their
///   turn
/// @param begunAgain calls that have begun, and may begin again; null for none
/// @param actor who acts for the principal in this turn, such as an operator; null for the
///   principal
/// @param spent what models have used, null for nothing
public record ConversationState(
    int turn,
    LoopState loop,
    Lease lease,
    RuleState rules,
    @Nullable StopReason exit,
    List<WaitingCall> waiting,
    Set<String> running,
    List<ConsentAnswer> answers,
    List<Begun> begun,
    @Nullable Restarts begunAgain,
    @Nullable String actor,
    @Nullable Spending spent) {
  private static final int ANSWERS_KEPT = 32;
  // A limit for calls of dead processes that were never repeated.
  private static final int BEGUN_KEPT = 1000;

  /// The state of a new conversation.
  public static final ConversationState NEW =
      new ConversationState(0, RuleState.NEW, null, List.of(), Set.of());

  public ConversationState {
    waiting = List.copyOf(waiting);
    running =
        running.isEmpty() ? Set.of() : Collections.unmodifiableSet(new LinkedHashSet<>(running));
    answers = List.copyOf(answers);
    begun = List.copyOf(begun);
  }

  /// A state without calls that have begun and may run only once.
  public ConversationState(
      int turn,
      LoopState loop,
      Lease lease,
      RuleState rules,
      @Nullable StopReason exit,
      List<WaitingCall> waiting,
      Set<String> running,
      List<ConsentAnswer> answers) {
    this(turn, loop, lease, rules, exit, waiting, running, answers, List.of(), null, null, null);
  }

  /// A call that may run only once and has begun.
  ///
  /// @param root the call of the model or of a rule that contains it; itself, unless a tool made it
  public record Begun(String id, String root) {}

  /// A state without answers.
  public ConversationState(
      int turn,
      RuleState rules,
      @Nullable StopReason exit,
      List<WaitingCall> waiting,
      Set<String> running) {
    this(turn, LoopState.NEW, Lease.NONE, rules, exit, waiting, running, List.of());
  }

  /// The lease of a process on a conversation.
  ///
  /// @param fence the fencing token: how many processes have taken the conversation. Every write
  ///   states it, so a process whose lease has expired can write nothing
  /// @param until when the lease expires unless renewed; null while the conversation is free
  /// @param host the holder, if only one such host runs at a time, such as the server of a storage;
  ///   null for any other
  public record Lease(long fence, @Nullable Instant until, @Nullable String host) {
    /// The lease on a conversation that no process has taken.
    public static final Lease NONE = new Lease(0, null);

    /// When a lease ends that its process has handed over: what is due at once is announced.
    public static final Instant HANDED_OVER = Instant.EPOCH;

    /// Whether its process has not released the conversation; once it expires, it counts as dead.
    public boolean isOfDead() {
      return until != null && !until.equals(HANDED_OVER);
    }

    /// The lease of a host that may run several times.
    public Lease(long fence, @Nullable Instant until) {
      this(fence, until, null);
    }
  }

  /// When the conversation needs attention, null for never. If it is held: when its lease expires.
  /// Otherwise: when the first open request expires, or the process that runs an answered call
  /// counts as dead; at once if an answered call has not run yet, or a turn waits although every
  /// request was settled, as after an answer from another process.
  public @Nullable Instant due() {
    if (lease.until != null) {
      return lease.until;
    }
    return loop.waiting() && waiting.isEmpty()
        ? Instant.EPOCH
        : waiting.stream().map(WaitingCall::due).min(Comparator.naturalOrder()).orElse(null);
  }

  /// The unanswered requests, in order, including those that have expired.
  public List<ConsentRequest> unanswered() {
    return waiting.isEmpty()
        ? List.of()
        : waiting.stream().filter(WaitingCall::isUnanswered).map(WaitingCall::request).toList();
  }

  /// This state with that state of the rules.
  public ConversationState withRules(RuleState next) {
    if (next.equals(rules)) {
      return this;
    }
    return new ConversationState(
        turn, loop, lease, next, exit, waiting, running, answers, begun, begunAgain, actor, spent);
  }

  /// This state with that state of the loop.
  public ConversationState withLoop(LoopState next) {
    if (next.equals(loop)) {
      return this;
    }
    return new ConversationState(
        turn, next, lease, rules, exit, waiting, running, answers, begun, begunAgain, actor, spent);
  }

  /// This state with that lease.
  public ConversationState withLease(Lease next) {
    return new ConversationState(
        turn, loop, next, rules, exit, waiting, running, answers, begun, begunAgain, actor, spent);
  }

  /// The state of a turn that has ended for that reason, unless it had ended before.
  public ConversationState exited(StopReason reason) {
    return exit == null ? exitedFor(reason) : this;
  }

  /// The state of a turn that has ended, for that reason.
  public ConversationState exitedFor(StopReason reason) {
    return new ConversationState(
        turn,
        loop,
        lease,
        rules,
        reason,
        waiting,
        running,
        answers,
        begun,
        begunAgain,
        actor,
        spent);
  }

  /// The state at the beginning of the principal's turn of that number.
  public ConversationState turn(int number) {
    return turn(number, null);
  }

  /// The state at the beginning of the turn of that number.
  ///
  /// @param by who acts for the principal in it, null for the principal
  public ConversationState turn(int number, @Nullable String by) {
    ConversationState next = begun(number, Set.of(), by);
    return begunAgain == null ? next : next.with(begunAgain.nextTurn(id -> waiting(id) != null));
  }

  /// The state at the beginning of a call that is a turn of its own, while others may run.
  public ConversationState nextCall() {
    return begun(turn + 1, running, null);
  }

  private ConversationState begun(int number, Set<String> stillRunning, @Nullable String by) {
    return new ConversationState(
        number,
        loop,
        lease,
        rules.nextTurn(),
        null,
        waiting,
        stillRunning,
        answers,
        begun,
        begunAgain,
        by,
        spent == null ? null : spent.nextTurn());
  }

  /// The call that waits under that id, or null.
  public @Nullable WaitingCall waiting(String id) {
    return waiting.stream().filter(w -> w.request().id().equals(id)).findFirst().orElse(null);
  }

  /// The state after a person was asked about a call.
  public ConversationState asking(ConsentRequest request) {
    List<WaitingCall> next = new ArrayList<>(waiting);
    next.add(new WaitingCall(request, null));
    return withWaiting(next);
  }

  /// The state after a process began to run an answered call, or a dead process's call was
  /// released: then it may have run, and the person is asked again.
  ///
  /// @param until null if it was released
  public ConversationState taken(String id, @Nullable Instant until) {
    return replacing(id, call -> call.taken(until));
  }

  /// The state after an answer was stored, whose call has not run yet.
  public ConversationState decided(String id, Answer answer) {
    return replacing(id, call -> call.decided(answer));
  }

  private ConversationState replacing(String id, UnaryOperator<WaitingCall> change) {
    return withWaiting(
        waiting.stream()
            .map(known -> known.request().id().equals(id) ? change.apply(known) : known)
            .toList());
  }

  /// The outcome of the request of that id; null while it waits, or if it is too old.
  public @Nullable ConsentAnswer answer(String id) {
    return answers.stream().filter(known -> known.id().equals(id)).findFirst().orElse(null);
  }

  /// The state after the final answer to a request.
  public ConversationState answered(ConsentAnswer answer) {
    List<ConsentAnswer> next = new ArrayList<>(answers);
    next.removeIf(known -> known.id().equals(answer.id()));
    next.add(answer);
    List<ConsentAnswer> latest = next.subList(Math.max(0, next.size() - ANSWERS_KEPT), next.size());
    return new ConversationState(
        turn, loop, lease, rules, exit, waiting, running, latest, begun, begunAgain, actor, spent);
  }

  /// The state without the request of that id.
  public ConversationState without(String id) {
    List<WaitingCall> next = waiting.stream().filter(w -> !w.request().id().equals(id)).toList();
    return with(restarts().without(id)).withWaiting(next);
  }

  private ConversationState withWaiting(List<WaitingCall> next) {
    return new ConversationState(
        turn, loop, lease, rules, exit, next, running, answers, begun, begunAgain, actor, spent);
  }

  /// The state after a call has started, with the rules' new state.
  public ConversationState started(String id, RuleState counted) {
    Set<String> next = new LinkedHashSet<>(running);
    next.add(id);
    return new ConversationState(
        turn, loop, lease, counted, exit, waiting, next, answers, begun, begunAgain, actor, spent);
  }

  /// The state after a call has ended or did not start, with the rules' new state.
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
        without(call -> call.root.equals(id)),
        stored(restarts().without(id)),
        actor,
        spent);
  }

  /// Whether the turn is to end, since too many of its calls have ended their process.
  public boolean isSetAside() {
    return begunAgain != null && begunAgain.areTooMany();
  }

  /// What models have used.
  public Spending spending() {
    return spent == null ? Spending.NONE : spent;
  }

  /// This state with that spending.
  public ConversationState withSpending(Spending next) {
    if (next.equals(spending())) {
      return this;
    }
    return new ConversationState(
        turn, loop, lease, rules, exit, waiting, running, answers, begun, begunAgain, actor, next);
  }

  /// The calls that have begun, and may begin again.
  public Restarts restarts() {
    return begunAgain == null ? Restarts.NONE : begunAgain;
  }

  /// The state after a call, or a probe of it, begins that may have begun before.
  ///
  /// @param before how often it had begun if that was not counted
  public ConversationState beginningAgain(String id, boolean probe, int before, Instant now) {
    return with(restarts().beginning(id, probe, before, now));
  }

  /// The state after a call was given up, since it had begun too often.
  public ConversationState givingUp(String id) {
    return with(restarts().givingUp(id));
  }

  private ConversationState with(Restarts next) {
    return new ConversationState(
        turn,
        loop,
        lease,
        rules,
        exit,
        waiting,
        running,
        answers,
        begun,
        stored(next),
        actor,
        spent);
  }

  private static @Nullable Restarts stored(Restarts next) {
    return next.equals(Restarts.NONE) ? null : next;
  }

  /// The state in which the request of a waiting call says how it may have begun before.
  public ConversationState withBegun(String id, ConsentRequest.@Nullable Begun before) {
    return replacing(id, call -> call.begun(before));
  }

  /// Whether the call of that id may run only once, has begun, and its end is unknown.
  public boolean hasBegun(String id) {
    return !begun.isEmpty() && begun.stream().anyMatch(call -> call.id.equals(id));
  }

  /// Whether the answered call of that id has never begun: it is counted before it does.
  public boolean hasNotBegun(String id) {
    WaitingCall known = waiting(id);
    boolean saysSo = known != null && known.request().begun() != null;
    return !saysSo && restarts().of(id) == null && !hasBegun(id);
  }

  /// Whether such a call is that one or belongs to it.
  public boolean hasBegunWithin(String id) {
    return !begun.isEmpty() && begun.stream().anyMatch(call -> call.root.equals(id));
  }

  /// The state after a call that may run only once has begun.
  public ConversationState beginning(Begun call) {
    List<Begun> next = new ArrayList<>(without(call::equals));
    next.add(call);
    return withBegun(next.subList(Math.max(0, next.size() - BEGUN_KEPT), next.size()));
  }

  /// The state without the call of that id, which was not done.
  public ConversationState notBegun(String id) {
    return hasBegun(id) ? withBegun(without(call -> call.id.equals(id))) : this;
  }

  private List<Begun> without(Predicate<Begun> gone) {
    return begun.isEmpty() ? begun : begun.stream().filter(Predicate.not(gone)).toList();
  }

  private ConversationState withBegun(List<Begun> next) {
    return new ConversationState(
        turn, loop, lease, rules, exit, waiting, running, answers, next, begunAgain, actor, spent);
  }
}
