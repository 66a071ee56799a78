package dev.switchboard.mcp.client;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// When something is given up: it takes what is to be ended then. Closing it takes the alarm back.
///
/// Safe for use by several threads.
final class Deadline implements Consumer<Runnable>, AutoCloseable {
  private final Time time;
  private final List<Runnable> actions = new ArrayList<>(); // guarded by this
  private boolean over; // guarded by this
  private Time.@Nullable Alarm alarm;

  private Deadline(Time time) {
    this.time = time;
  }

  /// One that is over after that time.
  static Deadline in(Duration length, Time time) {
    Deadline deadline = new Deadline(time);
    deadline.alarm = time.alarm(time.nanos() + length.toNanos(), deadline::end);
    return deadline;
  }

  /// One that is over when it is [#end]ed.
  static Deadline none(Time time) {
    return new Deadline(time);
  }

  @Override
  public void accept(Runnable action) {
    synchronized (this) {
      if (!over) {
        actions.add(action);
        return;
      }
    }
    action.run();
  }

  /// Ends what it was given, and what it is given from now on.
  void end() {
    List<Runnable> all;
    synchronized (this) {
      over = true;
      all = List.copyOf(actions);
      actions.clear();
    }
    all.forEach(Runnable::run);
  }

  /// Whether it is over.
  synchronized boolean isOver() {
    return over;
  }

  /// Lets go of what it was given; that is over already.
  synchronized void forget() {
    actions.clear();
  }

  /// Waits for that long, or until it is over.
  void rest(Duration length) {
    Time.Signal signal = new Time.Signal();
    accept(signal::give);
    time.pause(signal, length);
  }

  @Override
  public void close() {
    if (alarm != null) {
      alarm.cancel();
    }
  }
}
