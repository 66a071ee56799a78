package dev.switchboard.phone.call;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// The alarms of a call. They end with it: one that stayed set would keep the call in memory.
///
/// For the actor's thread.
final class Alarms {
  private final Time time;
  private final Consumer<Runnable> actor;
  private final Set<Pending> pending = new HashSet<>();
  private boolean over;

  /// @param actor runs steps on the actor's thread; called from any thread
  Alarms(Time time, Consumer<Runnable> actor) {
    this.time = time;
    this.actor = actor;
  }

  private final class Pending implements Time.Alarm {
    private final Runnable step;
    private Time.Alarm set = Time.Alarm.NONE;

    Pending(Runnable step) {
      this.step = step;
    }

    @Override
    public void cancel() {
      if (pending.remove(this)) {
        set.cancel();
      }
    }

    private void due() {
      // It may have been cancelled while it waited for the actor.
      if (pending.remove(this)) {
        step.run();
      }
    }
  }

  /// Runs that step after a delay, unless it is cancelled or the call has ended.
  Time.Alarm after(Duration wait, Runnable step) {
    if (over) {
      return Time.Alarm.NONE;
    }
    Pending alarm = new Pending(step);
    pending.add(alarm);
    alarm.set = time.alarm(time.nanos() + wait.toNanos(), () -> actor.accept(alarm::due));
    return alarm;
  }

  /// The call has ended.
  void over() {
    over = true;
    pending.forEach(alarm -> alarm.set.cancel());
    pending.clear();
  }
}
