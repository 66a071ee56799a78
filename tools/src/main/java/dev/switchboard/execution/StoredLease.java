package dev.switchboard.execution;

import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.LoopState;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The lease of a conversation as it is stored with its state, and how this process writes it.
///
/// Used by one thread at a time, except [#fence()], [#heldByOther] and [#isInherited()].
final class StoredLease {
  private final String conversation;
  private final Ledger<ConversationState> ledger;
  private final LeaseTerms terms;
  private final Time time;
  private LoopState loop; // as this process knows it
  private boolean first = true; // whether none was acquired since the conversation was opened
  private volatile long fence; // of the latest lease acquired or claimed here, 0 for none

  /// A lease that was acquired.
  ///
  /// @param expiry when it expires, in nanoseconds of this process's clock
  /// @param takenOver whether from a process that did not release it
  record Acquisition(long expiry, boolean takenOver) {}

  StoredLease(String conversation, Ledger<ConversationState> ledger, LeaseTerms terms, Time time) {
    this.conversation = conversation;
    this.ledger = ledger;
    this.terms = terms;
    this.time = time;
    loop = ledger.value().loop();
    fence = terms.claimed();
  }

  /// Acquires the lease.
  ///
  /// @throws ConversationConflictException if another process has it, or has continued the
  ///   conversation
  Acquisition acquire(SeenLeases seen) {
    long end = time.nanos() + terms.length().toNanos();
    if (acquiredAsOpened()) {
      seen.forget(conversation);
      return new Acquisition(end, false);
    }
    Cell.Version<ConversationState> found = ledger.refreshed();
    ConversationState latest = found.value();
    if (latest.lease().fence() < fence) {
      throw new ConversationConflictException(conversation, null); // it was deleted meanwhile
    }
    Duration held = heldByOther(found, seen);
    if (held != null) {
      throw new ConversationConflictException(conversation, held);
    }
    if (isFreshClaim(latest)) {
      return new Acquisition(time.nanos() + remaining(latest).toNanos(), terms.left());
    }
    boolean takenOver = latest.lease().isOfDead() && !isMine(latest);
    fence = acquired(latest);
    return new Acquisition(end, takenOver);
  }

  /// Acquires the lease without another read, if it was free when the conversation was opened and
  /// nothing was written since; returns whether it did.
  @SuppressWarnings("ReferenceEquality") // the state is the same object unless it was read again
  private boolean acquiredAsOpened() {
    ConversationState read = ledger.value();
    boolean free = read.lease().until() == null && read.loop().equals(loop);
    boolean mayTry = first && terms.claimed() == 0;
    first = false;
    if (!mayTry || !free) {
      return false;
    }
    long mine = read.lease().fence() + 1;
    boolean acquired =
        ledger.change(now ->
            now == read
                ? new Ledger.Step<>(now.withLease(new Lease(mine, until(), terms.soleHost())), true)
                : new Ledger.Step<>(now, false));
    fence = acquired ? mine : fence;
    return acquired;
  }

  /// The time until another process's lease expires, unless renewed; null if no other process has
  /// one.
  @Nullable Duration heldByOther(SeenLeases seen) {
    return heldByOther(ledger.latest(), seen);
  }

  private @Nullable Duration heldByOther(Cell.Version<ConversationState> latest, SeenLeases seen) {
    Instant until = latest.value().lease().until();
    if (until == null || isMine(latest.value()) || isOfPredecessor(latest.value().lease())) {
      seen.forget(conversation);
      return null;
    }
    Duration age = seen.age(conversation, latest.number(), time.nanos());
    Duration stated = Duration.between(time.now(), until);
    Duration limit = terms.length().minus(age);
    Duration remaining = stated.compareTo(limit) < 0 ? stated : limit;
    return remaining.isPositive() ? remaining : null;
  }

  /// Whether the lease is of an earlier process of the same sole host.
  private boolean isOfPredecessor(Lease lease) {
    return terms.soleHost() != null && terms.soleHost().equals(lease.host());
  }

  /// Whether the store has just assigned the lease to this process, so that more than half of its
  /// time remains.
  private boolean isFreshClaim(ConversationState latest) {
    return isMine(latest)
        && latest.loop().equals(loop)
        && remaining(latest).compareTo(terms.length().dividedBy(2)) > 0;
  }

  /// The time until the lease in that state expires, at most the length of a lease.
  private Duration remaining(ConversationState latest) {
    Instant until = latest.lease().until();
    Duration left = until == null ? Duration.ZERO : Duration.between(time.now(), until);
    return left.compareTo(terms.length()) < 0 ? left : terms.length();
  }

  private long acquired(ConversationState latest) {
    return ledger.change(now -> {
      if (!now.lease().equals(latest.lease()) || !now.loop().equals(loop)) {
        throw new ConversationConflictException(conversation, null);
      }
      long mine = isMine(now) ? fence : now.lease().fence() + 1;
      return new Ledger.Step<>(now.withLease(new Lease(mine, until(), terms.soleHost())), mine);
    });
  }

  /// Whether the lease in that state is this process's.
  boolean isMine(ConversationState state) {
    return fence != 0 && state.lease().fence() == fence;
  }

  private Instant until() {
    return time.now().plus(terms.length());
  }

  /// Whether this process has acquired no lease yet, and the latest one was its predecessor's,
  /// which is dead.
  boolean isInherited() {
    return fence == terms.claimed() && (terms.left() || isOfPredecessor(ledger.value().lease()));
  }

  /// Renews the lease; returns when it expires, in nanoseconds of this process's clock.
  ///
  /// @throws ConversationConflictException if it is lost
  long extend() {
    long end = time.nanos() + terms.length().toNanos();
    write(until());
    return end;
  }

  /// Sets when the lease expires, null to release it.
  ///
  /// @throws ConversationConflictException if it is lost
  void write(@Nullable Instant until) {
    ledger.change(now -> {
      requireMine(now);
      return new Ledger.Step<>(now.withLease(new Lease(fence, until, terms.soleHost())), fence);
    });
  }

  /// Releases the lease, if it is held and the store does not have it as released.
  ///
  /// @throws ConversationConflictException if it is lost
  void release(boolean held) {
    try {
      if (held && ledger.value().lease().until() != null) {
        write(null);
      }
    } finally {
      loop = ledger.value().loop();
    }
  }

  /// Stores the state of the loop at the end of a turn.
  ///
  /// @param held whether the lease is held, and released in the same write
  /// @throws ConversationConflictException if it is lost
  void endTurn(LoopState next, boolean held) {
    loop =
        ledger.change(now -> {
          if (held) {
            requireMine(now);
          }
          ConversationState ended = now.withLoop(next);
          return new Ledger.Step<>(held ? ended.withLease(new Lease(fence, null)) : ended, next);
        });
  }

  private void requireMine(ConversationState state) {
    if (!isMine(state)) {
      throw new ConversationConflictException(conversation, null);
    }
  }

  /// The fence of the latest lease that this process acquired or was assigned, 0 for none.
  long fence() {
    return fence;
  }
}
