package dev.switchboard.phone.call;

import dev.switchboard.text.ExceptionLog;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The queue of a call's actor, and the threads of its asynchronous work. [EventLimiter] limits
/// external events.
///
/// Thread-safe.
final class Mailbox {
  private static final System.Logger LOG = System.getLogger(Mailbox.class.getName());

  private final Queue<CallEvent> events = new ConcurrentLinkedQueue<>();
  private final Executor writer;
  private volatile @Nullable Runnable served; // has the actor take what waits; null until it starts
  private volatile boolean closed;

  /// An empty mailbox.
  Mailbox() {
    this(new Serial("call writer"));
  }

  /// @param writer runs tasks one after the other
  Mailbox(Executor writer) {
    this.writer = writer;
  }

  /// Adds an event.
  void post(CallEvent event) {
    if (!closed) {
      events.add(event);
      Runnable started = served;
      if (started != null) {
        started.run();
      }
    }
  }

  /// The number of waiting events.
  int size() {
    return events.size();
  }

  /// Passes events to the actor until the mailbox is closed, on a thread that exists while there
  /// are some: parked ones, of all calls, took much of the time of garbage collections.
  void start(String name, Consumer<CallEvent> actor) {
    Serial thread = new Serial(name);
    Runnable taking =
        () -> {
          boolean unused = drain(actor);
        };
    served = () -> thread.execute(taking);
    thread.execute(taking);
  }

  /// Passes the waiting events to the actor, on this thread; false if there were none.
  boolean drain(Consumer<CallEvent> actor) {
    boolean any = false;
    for (CallEvent event = next(); event != null; event = next()) {
      give(actor, event);
      any = true;
    }
    return any;
  }

  private @Nullable CallEvent next() {
    return closed ? null : events.poll();
  }

  private static void give(Consumer<CallEvent> actor, CallEvent event) {
    try {
      actor.accept(event);
    } catch (RuntimeException thrown) {
      // One event that fails must not end the call.
      ExceptionLog.warn(LOG, "an event of a call failed", thrown);
    }
  }

  /// Accepts no more events.
  void close() {
    closed = true;
  }

  /// Runs tasks one after the other, concurrently with the actor.
  Executor writer() {
    return writer;
  }

  /// Runs tasks concurrently.
  Executor workers() {
    return task -> {
      Thread unused = Thread.ofVirtual().name("call work").start(task);
    };
  }

  /// An executor with one thread while there are tasks.
  private static final class Serial implements Executor {
    private final String name;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean working = new AtomicBoolean();

    Serial(String name) {
      this.name = name;
    }

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
      start();
    }

    private void start() {
      if (!tasks.isEmpty() && working.compareAndSet(false, true)) {
        Thread unused = Thread.ofVirtual().name(name).start(this::work);
      }
    }

    private void work() {
      try {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
      } finally {
        working.set(false);
        // Some may have come since, or wait because one has failed.
        start();
      }
    }
  }
}
