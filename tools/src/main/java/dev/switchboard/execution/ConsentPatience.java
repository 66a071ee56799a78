package dev.switchboard.execution;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long requests for consent wait.
///
/// @param stated by the host, null for the defaults
record ConsentPatience(@Nullable Duration stated) {
  /// For a person who is present: one that an approver asks, or a caller.
  Duration present() {
    return stated == null ? ToolExecutorBuilder.DEFAULT_CONSENT_TIMEOUT : stated;
  }

  /// For a request that stays open in that conversation.
  Duration of(ToolSession session) {
    boolean onPhone = session.caller() != null && session.callee() != null;
    boolean lasts = session.isStored() && !onPhone;
    return stated == null && lasts ? ToolExecutorBuilder.STORED_CONSENT_TIMEOUT : present();
  }
}
