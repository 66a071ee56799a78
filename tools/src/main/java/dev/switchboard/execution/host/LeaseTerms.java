package dev.switchboard.execution.host;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a host acquires the leases of its conversations.
///
/// @param soleHost the name of a host of which one runs at a time; it may take over its
///   predecessor's leases at once; null for any other host
/// @param length the time after which a lease expires, unless renewed
/// @param claimed the fence of the lease that the store has assigned to this process, 0 for none
/// @param left whether that lease was assigned after a dead process's lease had expired
public record LeaseTerms(@Nullable String soleHost, Duration length, long claimed, boolean left) {
  /// The time after which a lease expires by default, unless renewed.
  public static final Duration LENGTH = Duration.ofSeconds(30);

  /// The terms of a host that may be one of several: leases of [#LENGTH].
  public static final LeaseTerms USUAL = new LeaseTerms(null, LENGTH, 0, false);

  /// These terms for the sole host of that name, null for any other host.
  public LeaseTerms of(@Nullable String host) {
    return new LeaseTerms(host, length, claimed, left);
  }
}
