package dev.switchboard.execution;

import org.jspecify.annotations.Nullable;

/// Whether a call is left to the process that continues the conversation: the store was
/// unavailable, or the lease lost, before its handler began.
///
/// Used by one thread at a time, except [#isAbandoned()].
final class Abandonment {
  private final Call call;
  private volatile boolean abandoned;
  private boolean resumed; // whether the call has waited for a person
  private @Nullable RuntimeException away; // the store's

  Abandonment(Call call) {
    this.call = call;
    // A suspended turn makes no more calls; it makes them when it is resumed.
    abandoned = call.session().lease().isSuspended() && !call.isNested();
  }

  /// Whether another process is to make the call.
  boolean isAbandoned() {
    return abandoned;
  }

  /// Records that the call has waited for a person, and waits until its answer is carried out.
  void resumed() {
    resumed = true;
  }

  /// Whether an attempt may begin in this process. Otherwise neither the call nor those whose tools
  /// made it have a result here.
  boolean mayBegin() {
    boolean may = call.session().lease().mayBegin();
    if (!may) {
      for (Call left = call; left != null; left = left.outerCall()) {
        left.abandonment().abandoned = true;
      }
    }
    return may;
  }

  /// Abandons the call if its turn is suspended, or the store is unavailable and the person's
  /// answer is carried out later.
  ///
  /// @param thrown the exception, before its handler began
  void fail(Throwable thrown) {
    ToolSession session = call.session();
    boolean passes = session.store().mayPass(thrown);
    abandoned |= !call.isNested() && (session.lease().isSuspended() || resumed && passes);
    if (abandoned && resumed) {
      session.open().abandoned(call.call().id());
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
