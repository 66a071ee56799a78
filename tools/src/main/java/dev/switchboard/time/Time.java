package dev.switchboard.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/// The clock and the waiting of the runtime, so that a test can own both.
///
/// Implementations are thread-safe.
public interface Time {
  /// The machine's own clock.
  Time SYSTEM = new SystemTime();

  /// The wall clock.
  Instant now();

  /// A clock in nanoseconds that never goes back; only differences mean anything.
  long nanos();

  /// Waits until the signal is given, the clock reaches `untilNanos`, or this thread is interrupted
  /// (its flag stays set).
  void await(Signal signal, long untilNanos);

  /// Waits like [#await] for a length of time that no one works in, such as the pause before
  /// another attempt; a clock made by hand lets it pass at once.
  void pause(Signal signal, Duration length);

  /// An alarm that runs the action once when the clock reaches `atNanos`, at once where it has. The
  /// action is quick, since all others wait for it; whatever may take long it starts on a thread of
  /// its own.
  Alarm alarm(long atNanos, Runnable action);

  /// Something that will be done at a moment, unless it is cancelled before.
  ///
  /// Thread-safe.
  interface Alarm {
    /// One that is not set.
    Alarm NONE = () -> {};

    /// Takes it back; without effect once it has gone off.
    void cancel();
  }

  /// A flag that one thread waits for and any thread may raise; it is never lowered.
  class Signal {
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
}
