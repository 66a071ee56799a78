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

/// The right to continue a conversation, which one process has at a time, so that a second one
/// learns that before it acts.
///
/// A lease ends with its turn. The lease of a process that died expires [#LENGTH] after it was
/// first seen here, unless renewed, whatever the clocks of both processes say. Each write under a
/// lease names its fence, so the store refuses writes of a process that was taken for dead. Without
/// a store there is no lease. Thread-safe.
public final class ConversationLease {
  /// How long a lease lasts unless it is renewed.
  public static final Duration LENGTH = Duration.ofSeconds(30);

  /// The terms of a host of which there may be several, for that long.
  public static final Terms USUAL = new Terms(null, LENGTH, 0, false);

  private static final int RENEWALS = 3; // while it lasts

  /// Of a conversation that lives and dies with its process.
  static final ConversationLease UNNEEDED =
      new ConversationLease("", null, USUAL, Time.SYSTEM, () -> {});

  private final String conversation;
  private final @Nullable Ledger<ConversationState> kept;
  private final Terms terms;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private LoopState left; // where this process has left the loop; guarded by lock
  private boolean opened = true; // whether it was opened, and not taken since; guarded by lock
  private Time.Alarm renewal = Time.Alarm.NONE; // guarded by lock
  private volatile long fence; // of the latest that was taken here, 0 before
  private volatile boolean held;
  private volatile long ends; // unless renewed, by this process's clock
  private volatile boolean takenOver; // from a process that did not let go of it
  private volatile boolean lost; // since it was taken: another process has it
  private volatile boolean goesOn; // whether a turn that breaks off here is gone on with
  private volatile @Nullable RuntimeException brokenOff; // why the turn is, null while it is not
  private volatile @Nullable RuntimeException unrenewed; // why it could not be, once it had ended
  private final Runnable onLost;

  /// @param kept where the conversation's state is kept, null for this process alone
  /// @param terms how this process takes hold
  /// @param onLost called once when another process has taken what was held here
  ConversationLease(
      String conversation,
      @Nullable Ledger<ConversationState> kept,
      Terms terms,
      Time time,
      Runnable onLost) {
    this.terms = terms;
    this.onLost = onLost;
    fence = terms.claimed;
    this.conversation = conversation;
    this.kept = kept;
    this.time = time;
    left = kept == null ? LoopState.NEW : kept.value().loop();
  }

  /// How a host holds conversations.
  ///
  /// @param soleHost the name of the store's only host, which continues at once what its
  ///   predecessor held; null for any other
  /// @param length how long a hold lasts unless it is renewed
  /// @param claimed the fence under which the store has given the conversation to this process, 0
  ///   where it has not
  /// @param left whether it was claimed from a process that is taken for dead
  public record Terms(@Nullable String soleHost, Duration length, long claimed, boolean left) {
    /// Of a process that has claimed the conversation for that long.
    public static Terms of(ConversationQueue.Claim claim, Duration length) {
      return new Terms(null, length, claim.fence(), claim.left());
    }

    /// These terms for the host of that name, null for any.
    public Terms of(@Nullable String host) {
      return new Terms(host, length, claimed, left);
    }
  }

  /// The leases of other processes that this one has seen. Safe for use by several threads.
  public static final class Seen {
    private final Map<String, Sight> sights = new ConcurrentHashMap<>();

    /// None so far.
    public Seen() {}
  }

  /// When a lease was first seen as it is.
  ///
  /// @param version of the state that it stands in, which is written anew when it is renewed
  private record Sight(long version, long nanos) {}

  /// Acquires the conversation.
  ///
  /// @throws ConversationConflictException when another process has it, or has gone on since
  void acquire(Seen seen) {
    Ledger<ConversationState> state = kept;
    if (state == null) {
      return;
    }
    lock.lock();
    try {
      long end = time.nanos() + terms.length.toNanos();
      if (takenAsOpened(state)) {
        takenOver = false;
        seen.sights.remove(conversation);
      } else {
        Cell.Version<ConversationState> found = state.refreshed();
        ConversationState latest = found.value();
        if (latest.lease().fence() < fence) {
          throw new ConversationConflictException(conversation, null); // it was deleted meanwhile
        }
        Duration free = held(found, seen);
        if (free != null) {
          throw new ConversationConflictException(conversation, free);
        }
        boolean fresh = isFresh(latest);
        takenOver = fresh ? terms.left : latest.lease().isOfDead() && !isMine(latest);
        end = fresh ? time.nanos() + left(latest).toNanos() : end;
        fence = fresh ? fence : taken(state, latest);
      }
      ends = end;
      lost = false;
      unrenewed = null;
      brokenOff = null;
      held = true;
      renewal = nextRenewal(state);
    } finally {
      lock.unlock();
    }
  }

  /// Whether the lease was free when the conversation was opened, nothing was written since, and it
  /// is taken now: the state is not read again for that.
  @SuppressWarnings("ReferenceEquality") // what was not read anew is the very same
  private boolean takenAsOpened(Ledger<ConversationState> state) {
    ConversationState read = state.value();
    boolean free = read.lease().until() == null && read.loop().equals(left);
    boolean first = opened && terms.claimed == 0;
    opened = false;
    if (!first || !free) {
      return false;
    }
    long mine = read.lease().fence() + 1;
    boolean taken =
        state.change(now ->
            now == read
                ? new Ledger.Step<>(now.withLease(new Lease(mine, end(), terms.soleHost)), true)
                : new Ledger.Step<>(now, false));
    fence = taken ? mine : fence;
    return taken;
  }

  /// Whether it was claimed for this process just now.
  private boolean isFresh(ConversationState latest) {
    return isMine(latest)
        && latest.loop().equals(left)
        && left(latest).compareTo(terms.length.dividedBy(2)) > 0;
  }

  /// How long the lease in that state lasts, at most its whole length.
  private Duration left(ConversationState latest) {
    Instant until = latest.lease().until();
    Duration left = until == null ? Duration.ZERO : Duration.between(time.now(), until);
    return left.compareTo(terms.length) < 0 ? left : terms.length;
  }

  private long taken(Ledger<ConversationState> state, ConversationState latest) {
    return state.change(now -> {
      if (!now.lease().equals(latest.lease()) || !now.loop().equals(left)) {
        throw new ConversationConflictException(conversation, null);
      }
      long mine = isMine(now) ? fence : now.lease().fence() + 1;
      return new Ledger.Step<>(now.withLease(new Lease(mine, end(), terms.soleHost)), mine);
    });
  }

  private boolean isMine(ConversationState state) {
    return fence != 0 && state.lease().fence() == fence;
  }

  private Instant end() {
    return time.now().plus(terms.length);
  }

  /// How long another process still holds the conversation without renewal; null if none does.
  public @Nullable Duration held(Seen seen) {
    Ledger<ConversationState> state = kept;
    return state == null ? null : held(state.latest(), seen);
  }

  private @Nullable Duration held(Cell.Version<ConversationState> latest, Seen seen) {
    Instant until = latest.value().lease().until();
    if (until == null || isMine(latest.value()) || isLeft(latest.value().lease())) {
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
    Duration told = Duration.between(time.now(), until);
    Duration most = terms.length.minusNanos(now - sight.nanos);
    Duration free = told.compareTo(most) < 0 ? told : most;
    return free.isPositive() ? free : null;
  }

  /// Whether this process holds the conversation.
  boolean isHeld() {
    return held;
  }

  /// Whether the store has given the conversation to this process, as it may to any other.
  public boolean isClaimed() {
    return terms.claimed != 0;
  }

  /// Whether the process that held it before this one had died, or counted as dead.
  public boolean isTakenOver() {
    return takenOver;
  }

  /// Whether it was held last by one before this process, of a name of which there is one at a
  /// time.
  boolean isLeft() {
    Ledger<ConversationState> state = kept;
    return state != null && fence == terms.claimed && (terms.left || isLeft(state.value().lease()));
  }

  /// Whether it is of one before this process, of a name of which there is one at a time.
  private boolean isLeft(Lease lease) {
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
      // The store may be back when it is renewed next.
    } finally {
      lock.unlock();
    }
  }

  private void extend(Ledger<ConversationState> state) {
    long end = time.nanos() + terms.length.toNanos();
    write(state, end());
    ends = end;
  }

  /// Whether something may begin under this lease: it is not lost, and has not ended by the clock
  /// of this process, or the store renews it now.
  boolean mayBegin() {
    if (brokenOff != null) {
      return false;
    }
    if (!held) {
      return true;
    }
    return !lost && (time.nanos() - ends < 0 || isRenewed());
  }

  private boolean isRenewed() {
    Ledger<ConversationState> state = kept;
    lock.lock();
    try {
      if (held && state != null && !lost && time.nanos() - ends >= 0) {
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

  /// Sets whether a turn runs that is gone on with after it was broken off.
  public void goesOn(boolean now) {
    goesOn = now;
  }

  /// Whether such a turn runs.
  boolean isGoingOn() {
    return goesOn && held;
  }

  /// Breaks the turn off, since the store is away before a call has begun; false if no such turn
  /// runs.
  boolean breakOff(RuntimeException why) {
    if (goesOn) {
      brokenOff = why;
    }
    return goesOn;
  }

  /// Whether the turn is broken off.
  boolean isBrokenOff() {
    return brokenOff != null;
  }

  /// Makes sure that the turn may go on here.
  ///
  /// @throws ConversationConflictException when another process has taken the conversation
  /// @throws RuntimeException the store's, when the lease had ended and could not be renewed, or
  ///   the start of a call could not be stored
  public void checkHeld() {
    if (mayBegin()) {
      return;
    }
    RuntimeException why = brokenOff;
    RuntimeException away = why == null ? unrenewed : why;
    throw lost || away == null ? new ConversationConflictException(conversation, null) : away;
  }

  /// Notes that the store has refused what was written under this lease.
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

  /// Stores the state of the loop at the end of a turn, and releases the conversation in the same
  /// write.
  ///
  /// @throws ConversationConflictException when the lease is lost
  void end(Ledger<ConversationState> state, LoopState loop) {
    lock.lock();
    try {
      left =
          state.change(now -> {
            check(now);
            ConversationState next = now.withLoop(loop);
            return new Ledger.Step<>(held ? next.withLease(new Lease(fence, null)) : next, loop);
          });
      // Renewed, it would be taken once more.
      renewal.cancel();
      renewal = Time.Alarm.NONE;
      held = false;
    } finally {
      lock.unlock();
    }
  }

  /// Releases the conversation, if it is held.
  public void release() {
    Ledger<ConversationState> state = kept;
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
      left = state.value().loop();
      lock.unlock();
    }
  }

  /// Lets the lease expire after that time, if the conversation is held: another process continues
  /// it then.
  ///
  /// @throws ConversationConflictException when the lease is lost
  public void end(Duration after) {
    Ledger<ConversationState> state = kept;
    lock.lock();
    try {
      renewal.cancel();
      if (held && state != null) {
        // What is due at once is announced.
        write(state, after.isZero() ? Lease.HANDED_OVER : time.now().plus(after));
      }
    } finally {
      held = false;
      lock.unlock();
    }
  }

  /// Hands the conversation over as this process ends, though a call may still run: nothing more
  /// begins here, and the next process does not take this one for dead.
  public void handOver() {
    if (held) {
      brokenOff = new ConversationConflictException(conversation, null);
      try {
        end(Duration.ZERO);
      } catch (RuntimeException e) {
        // It ends by itself.
      }
    }
  }

  /// Has the lease end by itself, where what it stands in is gone.
  public void leave() {
    lock.lock();
    try {
      renewal.cancel();
      held = false;
    } finally {
      lock.unlock();
    }
  }

  /// Under which something is stored: the number of the latest lease that was taken here, 0 where
  /// none was.
  public long fence() {
    return fence;
  }

  /// Makes sure that the lease is not lost, where the conversation is held.
  ///
  /// @throws ConversationConflictException when another process has taken it
  void check(ConversationState latest) {
    if (held && !isMine(latest)) {
      markLost();
      throw new ConversationConflictException(conversation, null);
    }
  }
}
