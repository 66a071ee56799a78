package dev.switchboard.mcp.client;

import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A deadline: it receives actions to run when it passes. Closing it cancels the alarm.
///
/// Thread-safe.
final class Deadline implements Consumer<Runnable>, AutoCloseable {
  private final Time time;
  private final List<Runnable> actions = new ArrayList<>(); // guarded by this
  private boolean over; // guarded by this
  private @Nullable Duration passed; // guarded by this
  private Time.@Nullable Alarm alarm;

  private Deadline(Time time) {
    this.time = time;
  }

  /// A deadline after that time.
  static Deadline in(Duration length, Time time) {
    Deadline deadline = new Deadline(time);
    deadline.alarm = time.alarm(time.nanos() + length.toNanos(), () -> deadline.pass(length));
    return deadline;
  }

  /// A deadline that passes when it is [#end]ed.
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

  private void pass(Duration length) {
    synchronized (this) {
      passed = over ? null : length;
    }
    end();
  }

  /// What to say of a request that failed so: that its time has passed, if that ended it.
  synchronized IOException explained(IOException fault) {
    return passed == null
        ? fault
        : new ServerException("no answer within " + Durations.words(passed));
  }

  /// Runs its actions, and those that it receives from now on.
  void end() {
    List<Runnable> all;
    synchronized (this) {
      over = true;
      all = List.copyOf(actions);
      actions.clear();
    }
    all.forEach(Runnable::run);
  }

  /// Whether it has passed.
  synchronized boolean isOver() {
    return over;
  }

  /// Forgets its action, which has ended.
  synchronized void forget() {
    actions.clear();
  }

  /// Waits for that long, or until it passes.
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
