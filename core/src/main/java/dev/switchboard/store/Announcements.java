package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore.Announcement;
import dev.switchboard.execution.ConversationStore.Queue.Listening;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// What processes that share a database tell each other; here those of one process. Safe for use by
/// several threads.
class Announcements {
  private final List<Consumer<Told>> listeners = new CopyOnWriteArrayList<>();

  /// An announcement about a conversation of that agent.
  record Told(String agent, Announcement what) {}

  /// Tells all that listen, here or anywhere, soon.
  void tell(Told told) {
    heard(told);
  }

  /// Tells those that listen here.
  final void heard(Told told) {
    listeners.forEach(listener -> listener.accept(told));
  }

  /// Whether anybody listens here.
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
