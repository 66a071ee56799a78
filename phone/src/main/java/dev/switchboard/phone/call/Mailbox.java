package dev.switchboard.phone.call;

import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The queue of a call's actor, and the threads of its asynchronous work. [Intake] limits external
/// events.
///
/// Thread-safe.
final class Mailbox {
  private static final System.Logger LOG = System.getLogger(Mailbox.class.getName());

  private final Queue<CallEvent> events = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean served = new AtomicBoolean(true); // or not to be served
  private final Executor writer;
  private String name = "";
  private Consumer<CallEvent> actor = event -> {};
  private volatile boolean closed;

  /// An empty mailbox.
  Mailbox() {
    this(new Serial());
  }

  /// @param writer runs tasks one after the other
  Mailbox(Executor writer) {
    this.writer = writer;
  }

  /// Adds an event.
  void post(CallEvent event) {
    if (!closed) {
      events.add(event);
      serve();
    }
  }

  /// The number of waiting events.
  int size() {
    return events.size();
  }

  /// Passes events to the actor, until the mailbox is closed: on a thread of its own while there
  /// are some.
  ///
  /// @param thread the name of the thread
  void start(String thread, Consumer<CallEvent> events) {
    name = thread;
    actor = events;
    served.set(false);
    serve();
  }

  private void serve() {
    if (!events.isEmpty() && served.compareAndSet(false, true)) {
      Thread unused = Thread.ofVirtual().name(name).start(this::serveAll);
    }
  }

  private void serveAll() {
    CallEvent event = events.poll();
    while (event != null && !closed) {
      give(actor, event);
      event = events.poll();
    }
    served.set(closed);
    // One may have come since.
    serve();
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
