package dev.switchboard.execution;

import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Where a conversation's events go, one after the other; what goes wrong there is the host's
/// trouble, not the call's.
final class EventSink {
  private static final System.Logger LOG = System.getLogger(ToolSession.class.getName());

  private final ReentrantLock lock = new ReentrantLock();
  private final Consumer<Event> events;

  EventSink(Consumer<Event> events) {
    this.events = events;
  }

  /// Shows an event, made when its turn has come, or null for nothing to show; false where the host
  /// failed to.
  boolean show(Supplier<? extends @Nullable Event> next) {
    lock.lock();
    try {
      Event event = next.get();
      if (event != null) {
        events.accept(event);
      }
      return true;
    } catch (Throwable thrown) {
      // Also an Error: the call has its one result whatever the host makes of its events.
      LOG.log(Level.WARNING, "an event could not be shown: " + thrown.getClass().getName());
      LOG.log(Level.DEBUG, "an event could not be shown", thrown);
      return false;
    } finally {
      lock.unlock();
    }
  }
}
