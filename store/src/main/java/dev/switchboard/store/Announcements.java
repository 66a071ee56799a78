package dev.switchboard.store;

import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Listening;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Announcements between processes that share a database; here those within one process.
/// Thread-safe.
class Announcements {
  private final List<Consumer<AgentAnnouncement>> listeners = new CopyOnWriteArrayList<>();

  /// An announcement about a conversation of that agent.
  record AgentAnnouncement(String agent, Announcement what) {}

  /// Announces to all listeners, in any process, soon.
  void announce(AgentAnnouncement announcement) {
    notifyListeners(announcement);
  }

  /// Announces to the listeners in this process.
  final void notifyListeners(AgentAnnouncement announcement) {
    listeners.forEach(listener -> listener.accept(announcement));
  }

  /// Whether anything listens in this process.
  final boolean hasListeners() {
    return !listeners.isEmpty();
  }

  Listening listen(Consumer<AgentAnnouncement> listener) {
    listeners.add(listener);
    return () -> {
      boolean unused = listeners.remove(listener);
    };
  }
}
