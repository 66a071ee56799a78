package dev.switchboard.execution;

import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.LoopState;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The exclusive right of a process to continue a conversation; another process is refused before
/// it acts.
///
/// A lease is released at the end of its turn. The lease of a dead process expires at most
/// [#LENGTH] after it was first seen here, unless renewed, even if the clocks of both processes
/// differ. Each write under a lease names its fence, so that the store refuses writes of a process
/// that has lost it. Without a store there is no lease.
///
/// Thread-safe.
public final class ConversationLease {
  /// The time after which a lease expires, unless renewed.
  public static final Duration LENGTH = Duration.ofSeconds(30);

  /// The terms of a host that may be one of several: leases of [#LENGTH].
  public static final Terms USUAL = new Terms(null, LENGTH, 0, false);

  private static final int RENEWALS = 3; // per length of the lease

  /// The lease of a conversation without a store.
  static final ConversationLease UNNEEDED =
      new ConversationLease("", null, USUAL, Time.SYSTEM, () -> {});

  private final String conversation;
  private final @Nullable Ledger<ConversationState> ledger; // null without a store
  private final Terms terms;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private LoopState loop; // as this process knows it; guarded by lock
  private boolean first = true; // whether no lease was acquired since opening; guarded by lock
  private Time.Alarm renewal = Time.Alarm.NONE; // guarded by lock
  private volatile long fence; // of the latest lease acquired or claimed here, 0 for none
  private volatile boolean held;
  private volatile long expiry; // in nanoseconds of this process's clock
  private volatile boolean takenOver; // from a process that did not release it
  private volatile boolean lost; // whether another process has acquired it since
  private volatile boolean resumable; // whether the present turn is resumed if it is suspended
  private volatile @Nullable RuntimeException suspendedBy; // why the turn is suspended, or null
  private volatile @Nullable RuntimeException unrenewed; // why it was not renewed after its expiry
  private final Runnable onLost;

  /// @param ledger the state of the conversation, null without a store
  /// @param terms how this process acquires the lease
  /// @param onLost called once after another process has acquired the lease held here
  ConversationLease(
      String conversation,
      @Nullable Ledger<ConversationState> ledger,
      Terms terms,
      Time time,
      Runnable onLost) {
    this.terms = terms;
    this.onLost = onLost;
    fence = terms.claimed;
    this.conversation = conversation;
    this.ledger = ledger;
    this.time = time;
    loop = ledger == null ? LoopState.NEW : ledger.value().loop();
  }

  /// How a host acquires leases.
  ///
  /// @param soleHost the name of a host of which one runs at a time; it may take over its
  ///   predecessor's leases at once; null for any other host
  /// @param length the time after which a lease expires, unless renewed
  /// @param claimed the fence of the lease that the store has assigned to this process, 0 for none
  /// @param left whether that lease was assigned after a dead process's lease had expired
  public record Terms(@Nullable String soleHost, Duration length, long claimed, boolean left) {
    /// The terms of a process to which the store has assigned the conversation.
    public static Terms of(ConversationQueue.Claim claim, Duration length) {
      return new Terms(null, length, claim.fence(), claim.left());
    }

    /// These terms for the sole host of that name, null for any other host.
    public Terms of(@Nullable String host) {
      return new Terms(host, length, claimed, left);
    }
  }

  /// The leases of other processes that this one has seen. Thread-safe.
  public static final class Seen {
    private final Map<String, Sight> sights = new ConcurrentHashMap<>();

    /// None so far.
    public Seen() {}
  }

  /// When a lease was first seen since its latest renewal.
  ///
  /// @param version the version of the conversation's state, which each renewal changes
  /// @param nanos the time in nanoseconds of this process's clock
  private record Sight(long version, long nanos) {}

  /// Acquires the lease.
  ///
  /// @throws ConversationConflictException if another process has it, or has continued the
  ///   conversation
  void acquire(Seen seen) {
    Ledger<ConversationState> state = ledger;
    if (state == null) {
      return;
    }
    lock.lock();
    try {
      long end = time.nanos() + terms.length.toNanos();
      if (acquiredAsOpened(state)) {
        takenOver = false;
        seen.sights.remove(conversation);
      } else {
        Cell.Version<ConversationState> found = state.refreshed();
        ConversationState latest = found.value();
        if (latest.lease().fence() < fence) {
          throw new ConversationConflictException(conversation, null); // it was deleted meanwhile
        }
        Duration held = held(found, seen);
        if (held != null) {
          throw new ConversationConflictException(conversation, held);
        }
        boolean fresh = isFreshClaim(latest);
        takenOver = fresh ? terms.left : latest.lease().isOfDead() && !isMine(latest);
        end = fresh ? time.nanos() + remaining(latest).toNanos() : end;
        fence = fresh ? fence : acquired(state, latest);
      }
      expiry = end;
      lost = false;
      unrenewed = null;
      suspendedBy = null;
      held = true;
      renewal = nextRenewal(state);
    } finally {
      lock.unlock();
    }
  }

  /// Acquires the lease without another read, if it was free when the conversation was opened and
  /// nothing was written since; returns whether it did.
  @SuppressWarnings("ReferenceEquality") // the state is the same object unless it was read again
  private boolean acquiredAsOpened(Ledger<ConversationState> state) {
    ConversationState read = state.value();
    boolean free = read.lease().until() == null && read.loop().equals(loop);
    boolean mayTry = first && terms.claimed == 0;
    first = false;
    if (!mayTry || !free) {
      return false;
    }
    long mine = read.lease().fence() + 1;
    boolean acquired =
        state.change(now ->
            now == read
                ? new Ledger.Step<>(now.withLease(new Lease(mine, until(), terms.soleHost)), true)
                : new Ledger.Step<>(now, false));
    fence = acquired ? mine : fence;
    return acquired;
  }

  /// Whether the store has just assigned the lease to this process, so that more than half of its
  /// time remains.
  private boolean isFreshClaim(ConversationState latest) {
    return isMine(latest)
        && latest.loop().equals(loop)
        && remaining(latest).compareTo(terms.length.dividedBy(2)) > 0;
  }

  /// The time until the lease in that state expires, at most the length of a lease.
  private Duration remaining(ConversationState latest) {
    Instant until = latest.lease().until();
    Duration left = until == null ? Duration.ZERO : Duration.between(time.now(), until);
    return left.compareTo(terms.length) < 0 ? left : terms.length;
  }

  private long acquired(Ledger<ConversationState> state, ConversationState latest) {
    return state.change(now -> {
      if (!now.lease().equals(latest.lease()) || !now.loop().equals(loop)) {
        throw new ConversationConflictException(conversation, null);
      }
      long mine = isMine(now) ? fence : now.lease().fence() + 1;
      return new Ledger.Step<>(now.withLease(new Lease(mine, until(), terms.soleHost)), mine);
    });
  }

  private boolean isMine(ConversationState state) {
    return fence != 0 && state.lease().fence() == fence;
  }

  private Instant until() {
    return time.now().plus(terms.length);
  }

  /// The time until another process's lease expires, unless renewed; null if no other process has
  /// one.
  public @Nullable Duration held(Seen seen) {
    Ledger<ConversationState> state = ledger;
    return state == null ? null : held(state.latest(), seen);
  }

  private @Nullable Duration held(Cell.Version<ConversationState> latest, Seen seen) {
    Instant until = latest.value().lease().until();
    if (until == null || isMine(latest.value()) || isOfPredecessor(latest.value().lease())) {
      seen.sights.remove(conversation);
      return null;
    }
    long now = time.nanos();
    Sight sight =
        seen.sights.compute(
            conversation,
            (id, known) ->
                known != null && known.version == latest.number()
                    ? known
                    : new Sight(latest.number(), now));
    Duration stated = Duration.between(time.now(), until);
    Duration limit = terms.length.minusNanos(now - sight.nanos);
    Duration remaining = stated.compareTo(limit) < 0 ? stated : limit;
    return remaining.isPositive() ? remaining : null;
  }

  /// Whether this process has the lease, as far as it knows.
  boolean isHeld() {
    return held;
  }

  /// Whether the store has assigned the conversation to this process, one of several workers.
  public boolean isClaimed() {
    return terms.claimed != 0;
  }

  /// Whether this process took the lease over from one that did not release it.
  public boolean isTakenOver() {
    return takenOver;
  }

  /// Whether this process has acquired no lease yet, and the latest one was its predecessor's,
  /// which is dead.
  boolean isInherited() {
    Ledger<ConversationState> state = ledger;
    return state != null
        && fence == terms.claimed
        && (terms.left || isOfPredecessor(state.value().lease()));
  }

  /// Whether the lease is of an earlier process of the same sole host.
  private boolean isOfPredecessor(Lease lease) {
    return terms.soleHost != null && terms.soleHost.equals(lease.host());
  }

  private Time.Alarm nextRenewal(Ledger<ConversationState> state) {
    return time.alarm(
        time.nanos() + terms.length.toNanos() / RENEWALS,
        () -> Thread.ofVirtual().name("lease").start(() -> renew(state)));
  }

  private void renew(Ledger<ConversationState> state) {
    lock.lock();
    try {
      if (held) {
        renewal = nextRenewal(state);
        extend(state);
      }
    } catch (ConversationConflictException e) {
      renewal.cancel();
    } catch (RuntimeException e) {
      // The next renewal may succeed.
    } finally {
      lock.unlock();
    }
  }

  private void extend(Ledger<ConversationState> state) {
    long end = time.nanos() + terms.length.toNanos();
    write(state, until());
    expiry = end;
  }

  /// Whether a call or another effect may begin: the turn is not suspended, and the lease neither
  /// lost nor expired by this process's clock, or renewed now. True if no lease is held.
  boolean mayBegin() {
    if (suspendedBy != null) {
      return false;
    }
    if (!held) {
      return true;
    }
    return !lost && (time.nanos() - expiry < 0 || renewed());
  }

  private boolean renewed() {
    Ledger<ConversationState> state = ledger;
    lock.lock();
    try {
      if (held && state != null && !lost && time.nanos() - expiry >= 0) {
        extend(state);
      }
      unrenewed = null;
      return !lost;
    } catch (ConversationConflictException e) {
      return false;
    } catch (RuntimeException e) {
      unrenewed = e;
      return false;
    } finally {
      lock.unlock();
    }
  }

  /// Sets whether a turn runs that this or another process resumes if it is suspended.
  public void setResumable(boolean running) {
    resumable = running;
  }

  /// Whether such a turn runs under a lease of this process.
  boolean runsResumableTurn() {
    return resumable && held;
  }

  /// Suspends the turn, since the store is unavailable before a call has begun; false if the turn
  /// is not resumable.
  boolean suspend(RuntimeException why) {
    if (resumable) {
      suspendedBy = why;
    }
    return resumable;
  }

  /// Whether the turn is suspended.
  boolean isSuspended() {
    return suspendedBy != null;
  }

  /// Checks that the turn may continue here.
  ///
  /// @throws ConversationConflictException if another process has acquired the lease
  /// @throws RuntimeException the store's, if the expired lease could not be renewed, or the start
  ///   of a call could not be stored
  public void checkHeld() {
    if (mayBegin()) {
      return;
    }
    RuntimeException why = suspendedBy;
    RuntimeException cause = why == null ? unrenewed : why;
    throw lost || cause == null ? new ConversationConflictException(conversation, null) : cause;
  }

  /// Records that the store has refused a write under this lease.
  void markLost() {
    if (held && !lost) {
      lost = true;
      onLost.run();
    }
  }

  private void write(Ledger<ConversationState> state, @Nullable Instant until) {
    state.change(now -> {
      check(now);
      return new Ledger.Step<>(now.withLease(new Lease(fence, until, terms.soleHost)), fence);
    });
  }

  /// Stores the state of the loop at the end of a turn, and releases the lease in the same write.
  ///
  /// @throws ConversationConflictException if the lease is lost
  void endTurn(Ledger<ConversationState> state, LoopState next) {
    lock.lock();
    try {
      loop =
          state.change(now -> {
            check(now);
            ConversationState ended = now.withLoop(next);
            return new Ledger.Step<>(held ? ended.withLease(new Lease(fence, null)) : ended, next);
          });
      // A later renewal would acquire the lease again.
      renewal.cancel();
      renewal = Time.Alarm.NONE;
      held = false;
    } finally {
      lock.unlock();
    }
  }

  /// Releases the lease; without effect if it is not held.
  ///
  /// @throws ConversationConflictException if the lease is lost
  public void release() {
    Ledger<ConversationState> state = ledger;
    if (state == null) {
      return;
    }
    lock.lock();
    try {
      renewal.cancel();
      renewal = Time.Alarm.NONE;
      if (held && state.value().lease().until() != null) {
        write(state, null);
      }
    } finally {
      held = false;
      loop = state.value().loop();
      lock.unlock();
    }
  }

  /// Makes the lease, if it is held, expire after that time without renewal; then another process
  /// continues the conversation.
  ///
  /// @throws ConversationConflictException if the lease is lost
  public void expireAfter(Duration after) {
    Ledger<ConversationState> state = ledger;
    lock.lock();
    try {
      renewal.cancel();
      if (held && state != null) {
        // A lease that is handed over is announced to other processes.
        write(state, after.isZero() ? Lease.HANDED_OVER : time.now().plus(after));
      }
    } finally {
      held = false;
      lock.unlock();
    }
  }

  /// Hands the conversation over as this process ends, even if a call still runs: no more calls
  /// begin here, and the next process does not count this one as dead.
  public void handOver() {
    if (held) {
      suspendedBy = new ConversationConflictException(conversation, null);
      try {
        expireAfter(Duration.ZERO);
      } catch (RuntimeException e) {
        // The lease expires without renewal.
      }
    }
  }

  /// Gives the lease up without a write, since the conversation was deleted.
  public void abandon() {
    lock.lock();
    try {
      renewal.cancel();
      held = false;
    } finally {
      lock.unlock();
    }
  }

  /// The fence of writes: the number of the latest lease that this process acquired or was
  /// assigned, 0 for none.
  public long fence() {
    return fence;
  }

  /// Checks that a held lease is not lost.
  ///
  /// @throws ConversationConflictException if another process has acquired it
  void check(ConversationState latest) {
    if (held && !isMine(latest)) {
      markLost();
      throw new ConversationConflictException(conversation, null);
    }
  }
}
