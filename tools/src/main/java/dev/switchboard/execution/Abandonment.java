package dev.switchboard.execution;

import org.jspecify.annotations.Nullable;

/// Whether a call is left to the process that continues the conversation: the store was
/// unavailable, or the lease lost, before its handler began.
///
/// Used by one thread at a time, except [#isAbandoned()].
final class Abandonment {
  private final ToolSession session;
  private final String callId;
  private final @Nullable Abandonment outer;
  private volatile boolean abandoned;
  private boolean resumed; // whether the call has waited for a person
  private @Nullable RuntimeException away; // the store's

  /// @param outer of the call whose tool made this one; null if the model or a rule did
  Abandonment(ToolSession session, String callId, @Nullable Abandonment outer) {
    this.session = session;
    this.callId = callId;
    this.outer = outer;
    // A suspended turn makes no more calls; it makes them when it is resumed.
    abandoned = session.lease().isSuspended() && outer == null;
  }

  /// Whether another process is to make the call.
  boolean isAbandoned() {
    return abandoned;
  }

  /// Records that the call has waited for a person, and waits until it is settled by the answer.
  void resumed() {
    resumed = true;
  }

  /// Whether an attempt may begin in this process. Otherwise neither the call nor those whose tools
  /// made it have a result here.
  boolean mayBegin() {
    boolean may = session.lease().mayBegin();
    if (!may) {
      for (Abandonment each = this; each != null; each = each.outer) {
        each.abandoned = true;
      }
    }
    return may;
  }

  /// Abandons the call if its turn is suspended, or the store is unavailable and the person's
  /// answer settles it later.
  ///
  /// @param thrown the exception, before its handler began
  void fail(Throwable thrown) {
    boolean passes = session.store().mayPass(thrown);
    abandoned |= outer == null && (session.lease().isSuspended() || resumed && passes);
    if (abandoned && resumed) {
      session.open().abandoned(callId);
    }
    away = passes && thrown instanceof RuntimeException fault ? fault : null;
  }

  /// Checks that the call was made here.
  ///
  /// @throws RuntimeException the store's, if it was unavailable before the handler began
  void checkMade() {
    if (abandoned && away != null) {
      throw away;
    }
  }
}
