package dev.switchboard.execution;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long requests for consent wait.
///
/// @param stated by the host, null for the defaults
record ConsentPatience(@Nullable Duration stated) {
  /// The default where a person is present.
  static final Duration PRESENT = Duration.ofMinutes(5);

  /// The default of a stored request.
  static final Duration STORED = Duration.ofHours(24);

  /// For a person who is present: one that an approver asks, or a caller.
  Duration present() {
    return stated == null ? PRESENT : stated;
  }

  /// For a request that stays open in that conversation.
  Duration of(ToolSession session) {
    boolean onPhone = session.caller() != null && session.callee() != null;
    boolean lasts = session.isStored() && !onPhone;
    return stated == null && lasts ? STORED : present();
  }
}
