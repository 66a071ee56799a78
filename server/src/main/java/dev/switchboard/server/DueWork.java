package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/// The work in an agent's conversations that no client requests: interrupted turns, expired
/// requests and stored answers. It is resumed in a few conversations at once, so that the turns of
/// clients find the store and memory free.
///
/// Thread-safe.
final class DueWork {
  private static final System.Logger LOG = System.getLogger(DueWork.class.getName());
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();
  private static final int MOST_RUNNING = 32;
  private static final int MOST_DUE = 1_000;

  private final String agent;
  private final Time time;
  private final ConversationStore store;
  private final OpenConversations conversations;
  private final Queue<String> due = new ConcurrentLinkedQueue<>();
  private final Set<String> running = ConcurrentHashMap.newKeySet();
  // When to retry conversations that cannot be read, by id.
  private final Map<String, Long> unreadable = new ConcurrentHashMap<>();

  DueWork(Agent agent, ConversationStore store, OpenConversations conversations) {
    this.agent = agent.name();
    time = agent.time();
    this.store = store;
    this.conversations = conversations;
  }

  /// Resumes what is due. A failure in one conversation does not affect the others.
  ///
  /// @param ahead how far into the future
  /// @param opening opens the conversation of an id
  void resume(Duration ahead, Function<String, LiveConversation> opening) {
    for (LiveConversation live : conversations.all()) {
      if (live.isToBeTriedAgain()) {
        resume(live.id(), opening);
      }
    }
    List<String> now = store.directory().due(time.now().plus(ahead), MOST_DUE);
    due.clear();
    now.stream().filter(id -> !running.contains(id)).forEach(due::add);
    resumeNext(opening);
  }

  /// Notes that a turn in that conversation began, ended or waits: its end makes room for the next.
  void changed(String conversation, Function<String, LiveConversation> opening) {
    if (running.contains(conversation) && !isRunning(conversation)) {
      running.remove(conversation);
      resumeNext(opening);
    }
  }

  private void resumeNext(Function<String, LiveConversation> opening) {
    while (running.size() < MOST_RUNNING) {
      String id = due.poll();
      if (id == null) {
        return;
      }
      running.add(id);
      resume(id, opening);
      if (!isRunning(id)) {
        running.remove(id);
      }
    }
  }

  private boolean isRunning(String id) {
    LiveConversation live = conversations.find(id);
    return live != null && live.isRunning();
  }

  private void resume(String id, Function<String, LiveConversation> opening) {
    LiveConversation live = conversations.find(id);
    long now = time.nanos();
    if (live == null
        ? now - unreadable.getOrDefault(id, now) < 0
        : live.isRunning() || live.isBroken() && !live.isToBeTriedAgain()) {
      return;
    }
    try {
      opening.apply(id).resume();
      unreadable.remove(id);
    } catch (RuntimeException e) {
      unreadable.put(id, now + PAUSE);
      ExceptionLog.warn(LOG, ExceptionLog.in(agent, id, "it cannot be gone on with"), e);
    }
  }
}
