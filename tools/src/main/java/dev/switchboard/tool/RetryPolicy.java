package dev.switchboard.tool;

import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// How often, and after which pauses, a failed attempt is repeated.
///
/// @param maxRetries attempts after the first, 0 to 100
/// @param base the first pause, which doubles each time
/// @param cap the longest pause, without jitter
/// @param on which failures are retried
public record RetryPolicy(int maxRetries, Duration base, Duration cap, On on) {
  /// Which failures are retried.
  public enum On {
    /// Every failure that is not final.
    ANY,
    /// Network failures, timeouts, and the statuses 408, 425, 429 and 5xx.
    TRANSIENT
  }

  /// The most retries that a policy may have.
  public static final int MOST_RETRIES = 100;

  /// Three attempts, 500 ms doubling up to 5 s.
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(2, Duration.ofMillis(500), Duration.ofSeconds(5), On.ANY);

  /// One attempt.
  public static final RetryPolicy NONE = DEFAULT.withMaxRetries(0);

  private static final long JITTER_NANOS = Duration.ofMillis(60).toNanos();

  /// @throws IllegalArgumentException when a value is out of bounds
  public RetryPolicy {
    if (maxRetries < 0 || maxRetries > MOST_RETRIES) {
      throw new IllegalArgumentException(
          "max_retries must be 0 to " + MOST_RETRIES + ", not " + maxRetries);
    }
    if (base.isNegative() || cap.isNegative()) {
      throw new IllegalArgumentException("a retry pause must not be negative");
    }
    base = Durations.bounded(base);
    cap = Durations.bounded(cap);
  }

  /// This policy with that number of retries.
  public RetryPolicy withMaxRetries(int retries) {
    return new RetryPolicy(retries, base, cap, on);
  }

  /// This policy for those failures.
  public RetryPolicy withOn(On failures) {
    return new RetryPolicy(maxRetries, base, cap, failures);
  }

  /// This policy with those pauses.
  public RetryPolicy withPauses(Duration first, Duration longest) {
    return new RetryPolicy(maxRetries, first, longest, on);
  }

  /// The pause before retry `n`, from 0: `min(cap, base x 2^n)` plus 0 to 60 ms of jitter.
  public Duration pause(int n, RandomGenerator random) {
    return plainPause(n).plusNanos(random.nextLong(JITTER_NANOS + 1));
  }

  /// The longest sum of all pauses.
  public Duration longestPauses() {
    Duration sum = Duration.ofNanos(JITTER_NANOS * maxRetries);
    for (int n = 0; n < maxRetries; n++) {
      sum = sum.plus(plainPause(n));
    }
    return sum;
  }

  private Duration plainPause(int n) {
    // Above 2^30 the cap is reached, and the product could overflow.
    Duration doubled = base.multipliedBy(1L << Math.min(n, 30));
    return doubled.compareTo(cap) < 0 ? doubled : cap;
  }
}
