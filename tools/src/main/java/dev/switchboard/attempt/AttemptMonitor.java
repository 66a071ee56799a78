package dev.switchboard.attempt;

import dev.switchboard.attempt.Attempts.Limit;
import dev.switchboard.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Handles what happens to an attempt on the caller's thread from outside: its time is up, the
/// reassurance is due, or the thread was interrupted and does not notice.
///
/// It has one alarm at a time, set for the next of these moments.
final class AttemptMonitor implements Runnable {
  // How often to check for an interrupt that the thread does not notice in a socket.
  private static final long LOOK = Duration.ofMillis(50).toNanos();

  private final Attempts running;
  private final Attempt attempt;
  private final Thread host = Thread.currentThread();
  private final boolean looks;
  private Time.@Nullable Alarm alarm; // guarded by this
  private boolean over; // guarded by this

  /// A watch over an attempt on the current thread.
  AttemptMonitor(Attempts running, Attempt attempt) {
    this.running = running;
    this.attempt = attempt;
    // An interrupt closes a virtual thread's socket by itself.
    looks = running.mayBeInterrupted() && !host.isVirtual();
  }

  void begin() {
    set(time().nanos());
  }

  synchronized void end() {
    over = true;
    if (alarm != null) {
      alarm.cancel();
    }
  }

  private synchronized void set(long now) {
    if (!over) {
      long next = running.speech().nextBefore(attempt.limit().at());
      alarm = time().alarm(looks && now + LOOK - next < 0 ? now + LOOK : next, this);
    }
  }

  @Override
  public void run() {
    long now = time().nanos();
    Limit limit = attempt.limit();
    if (now - limit.at() >= 0) {
      attempt.finish(limit.passed());
    } else if (looks && host.isInterrupted()) {
      running.interrupt();
    } else {
      if (running.speech().reassuranceIsDue(now)) {
        // On a separate thread: the host shows it and may take long.
        Thread.ofVirtual().name(running.call().call().name()).start(running.speech()::reassure);
      }
      set(now);
    }
  }

  private Time time() {
    return running.time();
  }
}
