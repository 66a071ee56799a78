package dev.switchboard.execution.host;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The leases of other processes that this one has seen. Thread-safe.
public final class SeenLeases {
  private final Map<String, Sight> sights = new ConcurrentHashMap<>();

  /// @param version of the conversation's state, which each renewal changes
  private record Sight(long version, long nanos) {}

  /// None so far.
  public SeenLeases() {}

  /// The time since the lease of that conversation was first seen in that version of its state.
  ///
  /// @param now in nanoseconds of this process's clock
  public Duration age(String conversation, long version, long now) {
    Sight sight =
        sights.compute(
            conversation,
            (id, known) ->
                known != null && known.version == version ? known : new Sight(version, now));
    return Duration.ofNanos(now - sight.nanos);
  }

  /// Forgets the lease of that conversation.
  public void forget(String conversation) {
    sights.remove(conversation);
  }
}
