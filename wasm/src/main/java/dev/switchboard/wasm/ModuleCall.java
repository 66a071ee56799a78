package dev.switchboard.wasm;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// A call of a module, on a thread of [ModuleThreads], which is interrupted at the timeout. Its
/// value is the exit code.
final class ModuleCall extends FutureTask<Integer> {
  private static final long A_WHILE = Duration.ofMinutes(1).toNanos();

  private final Time time;
  private final Duration timeout;
  private final Time.Signal ended = new Time.Signal();
  private volatile Time.@Nullable Alarm alarm;
  private volatile boolean timedOut;

  /// A call that the current thread waits for.
  ModuleCall(Program program, WasiEnvironment world, Time time, Duration timeout) {
    super(() -> program.run(world));
    this.time = time;
    this.timeout = timeout;
  }

  @Override
  public void run() {
    if (!isDone()) {
      alarm = time.alarm(time.nanos() + timeout.toNanos(), this::timeIsUp);
    }
    super.run();
    cancelAlarm();
  }

  private void timeIsUp() {
    timedOut = true;
    stop();
  }

  /// Stops it, unless it has ended.
  void stop() {
    boolean unusedFirst = cancel(true);
  }

  @Override
  protected void done() {
    cancelAlarm();
    ended.give();
  }

  private void cancelAlarm() {
    Time.Alarm set = alarm;
    if (set != null) {
      set.cancel();
    }
  }

  /// Whether it was stopped at its timeout.
  boolean timedOut() {
    return timedOut && isCancelled();
  }

  /// Waits for its end.
  ///
  /// @throws InterruptedException when this thread is interrupted meanwhile
  void await() throws InterruptedException {
    while (!ended.given()) {
      time.await(ended, time.nanos() + A_WHILE);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
