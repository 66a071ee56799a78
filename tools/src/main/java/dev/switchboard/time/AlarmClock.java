package dev.switchboard.time;

import dev.switchboard.text.Durations;
import dev.switchboard.text.ExceptionLog;
import java.util.Iterator;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The alarms of the machine's clock, and the one thread that they go off on.
///
/// The thread sleeps until the first alarm that it knows of. One that is set wakes it only when it
/// is earlier, one that is cancelled never does: calls that set an alarm seconds ahead and cancel
/// it a moment later, thousands of times a second, leave the thread asleep. Thread-safe.
final class AlarmClock {
  // Long enough that an error which does not pass keeps no core busy.
  private static final long AFTER_ERROR = 1_000_000;

  private final ConcurrentSkipListSet<Ring> rings = new ConcurrentSkipListSet<>();
  private final AtomicLong numbers = new AtomicLong();
  private final ReentrantLock starting = new ReentrantLock();
  private volatile @Nullable Thread thread; // written under starting
  // Written by the thread before it looks for alarms once more and sleeps, read by others after
  // they have set one: so one of the two sees the other.
  private volatile long sleepsUntil = System.nanoTime();

  /// An alarm of this clock; the number tells apart those of one moment.
  private final class Ring implements Time.Alarm, Comparable<Ring> {
    private final long at;
    private final long number;
    private final Runnable action;

    Ring(long at, long number, Runnable action) {
      this.at = at;
      this.number = number;
      this.action = action;
    }

    @Override
    public int compareTo(Ring other) {
      // By difference, since the clock may begin anywhere and overflow.
      return at == other.at ? Long.compare(number, other.number) : Long.compare(at - other.at, 0);
    }

    @Override
    public void cancel() {
      rings.remove(this);
    }
  }

  /// An alarm at that moment, or as soon as can be where it has passed.
  Time.Alarm set(long atNanos, Runnable action) {
    Ring ring = new Ring(atNanos, numbers.incrementAndGet(), action);
    rings.add(ring);
    Thread running = thread == null ? started() : thread;
    if (atNanos - sleepsUntil < 0) {
      LockSupport.unpark(running);
    }
    return ring;
  }

  /// How many alarms are set.
  int size() {
    return rings.size();
  }

  private Thread started() {
    starting.lock();
    try {
      if (thread == null) {
        thread =
            Thread.ofPlatform()
                .daemon()
                .name("switchboard-alarms")
                .inheritInheritableThreadLocals(false)
                .start(this::run);
      }
      return thread;
    } finally {
      starting.unlock();
    }
  }

  private void run() {
    while (true) {
      try {
        ringOrSleep();
      } catch (Throwable thrown) {
        // Also an Error, such as one for want of memory, or of a logger: without this thread no
        // alarm would go off again. Not logged, since logging may be what failed.
        LockSupport.parkNanos(AFTER_ERROR);
      }
    }
  }

  private void ringOrSleep() {
    Ring first = first();
    long now = System.nanoTime();
    if (first != null && first.at - now <= 0) {
      ring(first);
      return;
    }
    long next = first == null ? now + Durations.LONGEST.toNanos() : first.at;
    sleepsUntil = next;
    Ring earlier = first();
    if (earlier == null || earlier.at - next >= 0) {
      LockSupport.parkNanos(this, next - now);
    }
  }

  private @Nullable Ring first() {
    // Unlike the set's own first(), takes an empty set for what it is.
    Iterator<Ring> inOrder = rings.iterator();
    return inOrder.hasNext() ? inOrder.next() : null;
  }

  private void ring(Ring due) {
    if (!rings.remove(due)) {
      return;
    }
    try {
      due.action.run();
    } catch (Throwable thrown) {
      // Also an Error: the thread serves all others.
      ExceptionLog.warn(System.getLogger(Time.class.getName()), "an alarm failed", thrown);
    }
  }
}
