package dev.switchboard.store;

import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Listening;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Announcements between processes that share a database; here those within one process.
/// Thread-safe.
class Announcements {
  private final List<Consumer<Told>> listeners = new CopyOnWriteArrayList<>();

  /// An announcement about a conversation of that agent.
  record Told(String agent, Announcement what) {}

  /// Announces to all listeners, in any process, soon.
  void tell(Told told) {
    heard(told);
  }

  /// Announces to the listeners in this process.
  final void heard(Told told) {
    listeners.forEach(listener -> listener.accept(told));
  }

  /// Whether anything listens in this process.
  final boolean isHeard() {
    return !listeners.isEmpty();
  }

  Listening listen(Consumer<Told> listener) {
    listeners.add(listener);
    return () -> {
      boolean unused = listeners.remove(listener);
    };
  }
}
