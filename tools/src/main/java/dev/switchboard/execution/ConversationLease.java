package dev.switchboard.execution;

import dev.switchboard.execution.host.HostLease;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.LoopState;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The exclusive right of a process to continue a conversation; another process is refused before
/// it acts.
///
/// A lease is released at the end of its turn. The lease of a dead process expires at most
/// [LeaseTerms#LENGTH] after it was first seen here, unless renewed, even if the clocks of both
/// processes differ. Each write under a lease names its fence, so that the store refuses writes of
/// a process that has lost it. Without a store there is no lease.
///
/// Thread-safe.
final class ConversationLease implements HostLease {
  private static final int RENEWALS = 3; // per length of the lease

  /// The lease of a conversation without a store.
  static final ConversationLease UNNEEDED =
      new ConversationLease("", null, LeaseTerms.USUAL, Time.SYSTEM, () -> {});

  private final String conversation;
  private final @Nullable StoredLease stored; // null without a store
  private final LeaseTerms terms;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private Time.Alarm renewal = Time.Alarm.NONE; // guarded by lock
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
      LeaseTerms terms,
      Time time,
      Runnable onLost) {
    this.conversation = conversation;
    this.terms = terms;
    this.time = time;
    this.onLost = onLost;
    stored = ledger == null ? null : new StoredLease(conversation, ledger, terms, time);
  }

  /// Acquires the lease.
  ///
  /// @throws ConversationConflictException if another process has it, or has continued the
  ///   conversation
  void acquire(SeenLeases seen) {
    StoredLease current = stored;
    if (current == null) {
      return;
    }
    lock.lock();
    try {
      StoredLease.Acquisition acquired = current.acquire(seen);
      takenOver = acquired.takenOver();
      expiry = acquired.expiry();
      lost = false;
      unrenewed = null;
      suspendedBy = null;
      held = true;
      renewal = nextRenewal(current);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable Duration held(SeenLeases seen) {
    return stored == null ? null : stored.heldByOther(seen);
  }

  /// Whether this process has the lease, as far as it knows.
  boolean isHeld() {
    return held;
  }

  @Override
  public boolean isClaimed() {
    return terms.claimed() != 0;
  }

  @Override
  public boolean isTakenOver() {
    return takenOver;
  }

  /// Whether this process has acquired no lease yet, and the latest one was its predecessor's,
  /// which is dead.
  boolean isInherited() {
    return stored != null && stored.isInherited();
  }

  private Time.Alarm nextRenewal(StoredLease current) {
    return time.alarm(
        time.nanos() + terms.length().toNanos() / RENEWALS,
        () -> Thread.ofVirtual().name("lease").start(() -> renew(current)));
  }

  private void renew(StoredLease current) {
    lock.lock();
    try {
      if (held) {
        renewal = nextRenewal(current);
        extend(current);
      }
    } catch (ConversationConflictException e) {
      renewal.cancel();
    } catch (RuntimeException e) {
      // The next renewal may succeed.
    } finally {
      lock.unlock();
    }
  }

  private void extend(StoredLease current) {
    unlessLost(() -> expiry = current.extend());
  }

  /// Does a write under the lease, which is lost if that finds another one.
  private void unlessLost(Runnable write) {
    try {
      write.run();
    } catch (ConversationConflictException e) {
      markLost();
      throw e;
    }
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
    StoredLease current = stored;
    lock.lock();
    try {
      if (held && current != null && !lost && time.nanos() - expiry >= 0) {
        extend(current);
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

  @Override
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

  @Override
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

  /// Stores the state of the loop at the end of a turn of a stored conversation, and releases the
  /// lease in the same write.
  ///
  /// @throws ConversationConflictException if the lease is lost
  void endTurn(LoopState next) {
    StoredLease current = Objects.requireNonNull(stored);
    lock.lock();
    try {
      unlessLost(() -> current.endTurn(next, held));
      // A later renewal would acquire the lease again.
      cancelRenewal();
      held = false;
    } finally {
      lock.unlock();
    }
  }

  private void cancelRenewal() {
    renewal.cancel();
    renewal = Time.Alarm.NONE;
  }

  @Override
  public void release() {
    StoredLease current = stored;
    if (current == null) {
      return;
    }
    lock.lock();
    try {
      cancelRenewal();
      unlessLost(() -> current.release(held));
    } finally {
      held = false;
      lock.unlock();
    }
  }

  @Override
  public void expireAfter(Duration after) {
    StoredLease current = stored;
    lock.lock();
    try {
      cancelRenewal();
      if (held && current != null) {
        // A lease that is handed over is announced to other processes.
        Instant end = after.isZero() ? Lease.HANDED_OVER : time.now().plus(after);
        unlessLost(() -> current.write(end));
      }
    } finally {
      held = false;
      lock.unlock();
    }
  }

  @Override
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

  @Override
  public void abandon() {
    lock.lock();
    try {
      cancelRenewal();
      held = false;
    } finally {
      lock.unlock();
    }
  }

  /// The fence of writes: the number of the latest lease that this process acquired or was
  /// assigned, 0 for none.
  long fence() {
    return stored == null ? terms.claimed() : stored.fence();
  }

  /// Checks that a held lease is not lost.
  ///
  /// @throws ConversationConflictException if another process has acquired it
  void check(ConversationState latest) {
    if (held && stored != null && !stored.isMine(latest)) {
      markLost();
      throw new ConversationConflictException(conversation, null);
    }
  }
}
