package dev.switchboard.agent;

import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.loop.Input;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The reading of one message, which can be cut off before its turn begins and while it runs.
/// Thread-safe.
final class LetterReading {
  private final Letter letter;
  private final Thread reader = Thread.currentThread();
  private final List<Time.Signal> ending = new ArrayList<>(1); // guarded by this
  private @Nullable Conversation conversation; // guarded by this
  private @Nullable ToolSession session; // of its turn; guarded by this
  private boolean cut; // guarded by this
  private boolean over; // whether it can be cut off no more; guarded by this
  private boolean ended; // guarded by this

  /// To be read by this thread.
  LetterReading(Letter letter) {
    this.letter = letter;
  }

  Letter letter() {
    return letter;
  }

  synchronized boolean isCut() {
    return cut;
  }

  /// Runs the turn of the message; null if it was cut off.
  @Nullable Turn turn(Conversation in, Input input) {
    if (!enters(in)) {
      return null;
    }
    List<Turn> ended = new ArrayList<>(1);
    in.claimed((runner, claimed) -> {
      if (begins(claimed)) {
        ended.add(runner.take(input));
      }
    });
    return isCut() || ended.isEmpty() ? null : ended.getFirst();
  }

  private synchronized boolean enters(Conversation in) {
    conversation = in;
    return !cut;
  }

  private synchronized boolean begins(ToolSession claimed) {
    session = claimed;
    return !cut;
  }

  /// Marks it as cut off, unless it is over: its turn does not begin.
  synchronized void mark() {
    cut = cut || !over;
  }

  /// Cuts off what runs of one that is marked, and all that would run in its conversation as it is
  /// open here.
  void cutOff() {
    ToolSession running;
    Conversation waitedFor;
    synchronized (this) {
      if (!cut) {
        return;
      }
      running = session;
      waitedFor = conversation;
    }
    if (running != null) {
      running.cancel();
    } else if (waitedFor != null) {
      waitedFor.cancel();
    }
  }

  /// Notes that it has ended, and releases a conversation that was cut off.
  void end() {
    Conversation left;
    synchronized (this) {
      over = true;
      left = cut ? conversation : null;
    }
    try {
      if (left != null) {
        left.close();
      }
    } finally {
      synchronized (this) {
        ended = true;
        ending.forEach(Time.Signal::give);
      }
    }
  }

  /// Waits until it has ended, at most so long; not on the thread that reads.
  void awaitEnd(Time time, long nanos) {
    Time.Signal end = new Time.Signal();
    synchronized (this) {
      if (ended || reader.equals(Thread.currentThread())) {
        return;
      }
      ending.add(end);
    }
    time.await(end, time.nanos() + nanos);
  }
}
