package dev.switchboard.time;

import java.util.concurrent.locks.LockSupport;

/// A flag that one thread waits for and any thread may raise; it is never lowered.
public class Signal {
  private final Thread waiter = Thread.currentThread();
  private volatile boolean given;

  /// A signal for the current thread to wait for.
  public Signal() {}

  /// Whether it was given.
  public final boolean given() {
    return given;
  }

  /// Gives it and wakes the thread that waits, if that is another.
  public final void give() {
    given = true;
    if (!waiter.equals(Thread.currentThread())) {
      LockSupport.unpark(waiter);
    }
  }
}
