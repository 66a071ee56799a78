package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Summary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// An agent of the server, and its conversations that are open there.
///
/// Safe for use by several threads.
final class ServedAgent {
  private static final long IDLE = Duration.ofMinutes(15).toNanos();
  private static final int MOST_DUE = 100;
  private static final String HOST = "server";

  private final Agent agent;
  private final ConversationStore store;
  private final Notices notices;
  private final ConversationOptions options;
  private final Map<String, LiveConversation> open = new ConcurrentHashMap<>();

  /// @param sole whether no other server serves its store
  /// @throws IllegalArgumentException when the agent has no store
  ServedAgent(Agent agent, Notices notices, boolean sole) {
    ConversationStore kept = agent.store();
    if (kept == null) {
      throw new IllegalArgumentException(
          "agent '%s' has no store: give it one, such as `.store(new InProcessConversations())`,"
                  .formatted(agent.name())
              + " which lasts as long as the process");
    }
    this.agent = agent;
    this.store = kept;
    this.notices = notices;
    options = sole ? ConversationOptions.NONE.withSoleHost(HOST) : ConversationOptions.NONE;
  }

  Agent agent() {
    return agent;
  }

  String name() {
    return agent.name();
  }

  ConversationStore store() {
    return store;
  }

  /// The conversation of that id as the store has it, null where there is none.
  @Nullable Summary find(String id) {
    return store.conversation(id);
  }

  /// The conversation of that id, open.
  LiveConversation open(String id) {
    LiveConversation live =
        open.computeIfAbsent(
            id,
            name ->
                new LiveConversation(
                    agent,
                    name,
                    store,
                    options,
                    event -> notices.event(this, name, event),
                    () -> notices.changed(this, name)));
    live.touch();
    return live;
  }

  /// Whether a turn runs in that conversation here.
  boolean isRunning(String id) {
    LiveConversation live = open.get(id);
    return live != null && live.isRunning();
  }

  /// The requests of all conversations that no one has answered.
  List<ConsentRequest> waiting() {
    List<ConsentRequest> all = new ArrayList<>(store.waiting());
    open.values().forEach(live -> all.addAll(live.ofHandlers().waiting()));
    all.sort(Comparator.comparing(ConsentRequest::expiresAt));
    return all;
  }

  Collection<LiveConversation> conversations() {
    return List.copyOf(open.values());
  }

  /// Goes on with what nobody asks for: turns that were cut off, requests whose time is over,
  /// answers that were kept.
  ///
  /// @param ahead how far into the future: as long as a lease lasts for what a server before held
  void takeUp(Duration ahead) {
    for (String id : store.due(agent.time().now().plus(ahead), MOST_DUE)) {
      LiveConversation live = open(id);
      if (!live.isRunning()) {
        live.resume();
      }
    }
  }

  /// Closes conversations that nobody has used for a while.
  void letGo() {
    for (LiveConversation live : open.values()) {
      if (live.unused() > IDLE && !live.isRunning() && !live.feed().isRead()) {
        close(live);
      }
    }
  }

  /// Closes a conversation and forgets that it was open.
  void close(LiveConversation live) {
    if (open.remove(live.id(), live)) {
      live.close();
    }
  }
}
