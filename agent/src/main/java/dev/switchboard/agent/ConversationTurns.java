package dev.switchboard.agent;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.ToolSessionBuilder;
import dev.switchboard.execution.host.HostSession;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The turns of an open conversation, one at a time: each takes the conversation from other
/// processes, shows its events, and releases it. Thread-safe.
final class ConversationTurns {
  private static final System.Logger LOG = System.getLogger(ConversationTurns.class.getName());

  private final ToolSession session;
  private final HostSession host;
  private final TurnRunner runner;
  private final SeenLeases seen;
  private final Runnable closing;
  private final ReentrantLock turnLock = new ReentrantLock();
  private volatile @Nullable Consumer<Event> events;
  private volatile @Nullable Thread showing;
  private volatile boolean running;
  private volatile @Nullable LiveSession live;

  /// @param closing closes the conversation, which another process continues or no line has any
  ///   more
  ConversationTurns(
      ToolSessionBuilder builder,
      Function<ToolSession, TurnRunner> runnerOf,
      SeenLeases seen,
      Runnable closing) {
    session = builder.events(this::pass).build();
    host = session.host();
    runner = runnerOf.apply(session);
    this.seen = seen;
    this.closing = closing;
  }

  ToolSession session() {
    return session;
  }

  TurnRunner runner() {
    return runner;
  }

  /// Whether someone receives the events now.
  boolean isShown() {
    return events != null;
  }

  /// The session of the host that drives the conversation, null if none does.
  @Nullable LiveSession line() {
    return live;
  }

  /// Cancels the running turn, if any.
  void cancel() {
    if (running) {
      session.cancelTurn();
    }
  }

  /// Shows one event after the other.
  private void pass(Event event) {
    Consumer<Event> sink = events;
    if (sink == null) {
      return;
    }
    Thread before = showing;
    showing = Thread.currentThread();
    try {
      sink.accept(event);
    } finally {
      showing = before;
    }
  }

  /// Does the work of a turn.
  ///
  /// @param sink receives its events; null if no one listens
  /// @throws ConversationConflictException when another process continues the conversation
  /// @throws IllegalStateException within an event or a hook of a turn, or on a live line
  <T extends @Nullable Object> T run(@Nullable Consumer<Event> sink, Supplier<T> work) {
    checkPlace();
    turnLock.lock();
    try {
      runner.setListened(sink != null);
      events = sink;
      running = true;
      host.acquire(seen);
      runner.settleLeft();
      return work.get();
    } catch (ConversationConflictException e) {
      closeAfter(e);
      throw e;
    } finally {
      RuntimeException unused = host.events().flush();
      running = false;
      events = null;
      release();
    }
  }

  /// Opens the conversation for a host that drives its model: no other turn begins here until the
  /// session is closed.
  ///
  /// @throws ConversationConflictException when another process holds it
  LiveSession live(Consumer<Event> sink) {
    checkPlace();
    turnLock.lock();
    try {
      runner.setListened(true);
      events = sink;
      host.acquire(seen);
      runner.settleLeft();
      LiveSession line = runner.live(this::endLive);
      live = line;
      return line;
    } finally {
      turnLock.unlock();
    }
  }

  private void endLive() {
    RuntimeException unused = host.events().flush();
    live = null;
    events = null;
    try {
      host.lease().release();
    } finally {
      closing.run();
    }
  }

  private void closeAfter(ConversationConflictException conflict) {
    try {
      closing.run();
    } catch (IllegalStateException e) {
      conflict.addSuppressed(e);
    }
  }

  private void release() {
    try {
      if (runner.mayBeCutOff()) {
        // Its lease expires, and then a process that looks for due work continues the turn.
        host.lease().abandon();
      } else {
        host.lease().release();
      }
    } catch (RuntimeException e) {
      // It ends by itself.
      LOG.log(Level.DEBUG, "a conversation is still held", e);
    } finally {
      turnLock.unlock();
    }
  }

  /// Prevents a turn from waiting for itself.
  ///
  /// @throws IllegalStateException where it would
  void checkPlace() {
    if (live != null) {
      throw new IllegalStateException("the conversation is on a live line");
    }
    if (turnLock.isHeldByCurrentThread()
        || Thread.currentThread().equals(showing)
        || host.events().isShownHere()) {
      throw new IllegalStateException("a turn cannot begin within another one");
    }
  }
}
