package dev.switchboard.time;

import java.time.Duration;

/// Lengths of time that can be counted in nanoseconds.
public final class Lengths {
  /// A century: whoever says more means for ever.
  public static final Duration LONGEST = Duration.ofDays(36_500);

  private Lengths() {}

  /// The length itself, or a century where it is longer.
  public static Duration bounded(Duration length) {
    return length.compareTo(LONGEST) > 0 ? LONGEST : length;
  }
}
