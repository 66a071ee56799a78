package dev.switchboard.phone.call;

import java.lang.System.Logger.Level;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The queue of a call's actor, and the threads that work for it. [Intake] limits what comes from
/// outside.
///
/// Safe for use by several threads.
final class Mailbox {
  private static final System.Logger LOG = System.getLogger(Mailbox.class.getName());

  private final BlockingQueue<CallEvent> events = new LinkedBlockingQueue<>();
  private final Executor writer;
  private volatile boolean closed;

  /// An empty one.
  Mailbox() {
    this(new Serial());
  }

  /// @param writer runs one task after the other
  Mailbox(Executor writer) {
    this.writer = writer;
  }

  /// Adds an event.
  void post(CallEvent event) {
    if (!closed) {
      events.add(event);
    }
  }

  /// How many events wait.
  int size() {
    return events.size();
  }

  /// Passes events to the actor, on a thread of its own, until the mailbox is closed.
  void start(String name, Consumer<CallEvent> actor) {
    Thread unused = Thread.ofVirtual().name(name).start(() -> serve(actor));
  }

  private void serve(Consumer<CallEvent> actor) {
    try {
      while (!closed) {
        give(actor, events.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Passes the waiting events to the actor, on this thread; false if there were none.
  boolean drain(Consumer<CallEvent> actor) {
    boolean any = false;
    for (CallEvent event = events.poll(); event != null; event = events.poll()) {
      give(actor, event);
      any = true;
    }
    return any;
  }

  private static void give(Consumer<CallEvent> actor, CallEvent event) {
    try {
      actor.accept(event);
    } catch (RuntimeException thrown) {
      // One event that fails must not end the call.
      LOG.log(Level.WARNING, "an event of a call failed: " + thrown.getClass().getName());
      LOG.log(Level.DEBUG, "an event of a call failed", thrown);
    }
  }

  /// Takes no more events.
  void close() {
    closed = true;
  }

  /// Runs one task after the other, beside the actor.
  Executor writer() {
    return writer;
  }

  /// Runs tasks side by side, beside the actor.
  Executor workers() {
    return task -> {
      Thread unused = Thread.ofVirtual().name("call work").start(task);
    };
  }

  /// A thread for as long as there are tasks, which it takes one after the other.
  private static final class Serial implements Executor {
    private final ReentrantLock lock = new ReentrantLock();
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private @Nullable Thread worker; // guarded by lock

    @Override
    public void execute(Runnable task) {
      lock.lock();
      try {
        tasks.add(task);
        if (worker == null) {
          worker = Thread.ofVirtual().name("call writer").start(this::work);
        }
      } finally {
        lock.unlock();
      }
    }

    private void work() {
      for (Runnable task = next(); task != null; task = next()) {
        task.run();
      }
    }

    private @Nullable Runnable next() {
      lock.lock();
      try {
        Runnable task = tasks.poll();
        if (task == null) {
          worker = null;
        }
        return task;
      } finally {
        lock.unlock();
      }
    }
  }
}
