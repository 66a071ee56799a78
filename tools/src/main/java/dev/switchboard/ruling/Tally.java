package dev.switchboard.ruling;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The uses of a tool.
///
/// @param started calls whose first attempt began
/// @param succeeded of these, by their result
/// @param failed of these; any other call is still running
/// @param lastStart when the last one started, null before the first
public record Tally(int started, int succeeded, int failed, @Nullable Instant lastStart) {
  /// @throws IllegalArgumentException when it counts fewer starts than ends
  public Tally {
    if (succeeded < 0 || failed < 0 || started < succeeded + failed) {
      throw new IllegalArgumentException("more ends than starts");
    }
  }

  /// The tally of a tool that was never used.
  public static final Tally NONE = new Tally(0, 0, 0, null);

  Tally start(Instant now) {
    return new Tally(started + 1, succeeded, failed, now);
  }

  /// This tally without the start at that time of a call that did not run.
  Tally withdraw(Instant start, Tally before) {
    return started == succeeded + failed
        ? this
        : new Tally(
            started - 1, succeeded, failed, start.equals(lastStart) ? before.lastStart : lastStart);
  }

  /// This tally after the end of a call; one that started before this tally began is not counted.
  Tally end(boolean success) {
    if (started == succeeded + failed) {
      return this;
    }
    return success
        ? new Tally(started, succeeded + 1, failed, lastStart)
        : new Tally(started, succeeded, failed + 1, lastStart);
  }

  boolean isAhead(Instant now) {
    return lastStart != null && lastStart.isAfter(now);
  }

  Tally startedAt(Instant start) {
    return new Tally(started, succeeded, failed, start);
  }

  /// Whether at least one call of it succeeded.
  public boolean hasSucceeded() {
    return succeeded > 0;
  }

  /// Whether a call runs or has succeeded: its place in a group is taken.
  public boolean holds() {
    return started > failed;
  }
}
