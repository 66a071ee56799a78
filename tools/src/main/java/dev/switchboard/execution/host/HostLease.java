package dev.switchboard.execution.host;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The lease of a session's conversation, as its host uses it; without effect for a conversation
/// that is not stored.
///
/// Thread-safe. Its methods throw a [dev.switchboard.execution.ConversationConflictException] if
/// another process has acquired the lease.
public interface HostLease {
  /// The time until another process's lease expires, unless renewed; null if no other process has
  /// one.
  @Nullable Duration held(SeenLeases seen);

  /// Whether the store has assigned the conversation to this process, one of several workers.
  boolean isClaimed();

  /// Whether this process took the lease over from one that did not release it.
  boolean isTakenOver();

  /// Sets whether a turn runs that this or another process resumes if it is suspended.
  void setResumable(boolean running);

  /// Checks that the turn may continue here.
  ///
  /// @throws RuntimeException the store's, if the expired lease could not be renewed, or the start
  ///   of a call could not be stored
  void checkHeld();

  /// Releases the lease; without effect if it is not held.
  void release();

  /// Makes the lease, if it is held, expire after that time without renewal; then another process
  /// continues the conversation.
  void expireAfter(Duration after);

  /// Hands the conversation over as this process ends, even if a call still runs: no more calls
  /// begin here, and the next process does not count this one as dead.
  void handOver();

  /// Gives the lease up without a write, since the conversation was deleted.
  void abandon();
}
