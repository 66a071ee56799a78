package dev.switchboard.server;

import dev.switchboard.execution.ConversationDirectory.Summary;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The conversations of an agent that are open in this process, by id. Unused ones are closed after
/// a while; if there are many, or they use much memory, the least recently used sooner.
///
/// Thread-safe.
final class OpenConversations {
  private static final long IDLE = Duration.ofMinutes(15).toNanos();
  private static final long SHORTLY = Duration.ofSeconds(2).toNanos();
  // An open conversation is in memory several times: as stored, and as the model reads it.
  private static final int MOST_OPEN = 5_000;
  private static final long MOST_CHARACTERS = Runtime.getRuntime().maxMemory() / 16;

  private final Map<String, LiveConversation> byId = new ConcurrentHashMap<>();

  /// The open conversation of that id, null for none.
  @Nullable LiveConversation find(String id) {
    return byId.get(id);
  }

  Collection<LiveConversation> all() {
    return List.copyOf(byId.values());
  }

  /// That conversation, opened if it is not. An open one under its id is another one if that was
  /// deleted.
  LiveConversation open(Summary stored, Supplier<LiveConversation> opening) {
    // Not closed before it is touched.
    return Objects.requireNonNull(
        byId.compute(
            stored.id(),
            (id, live) -> {
              if (live != null && !live.isOf(stored)) {
                live.close();
              }
              LiveConversation opened = live != null && live.isOf(stored) ? live : opening.get();
              opened.touch();
              return opened;
            }));
  }

  /// Closes a conversation and forgets that it was open.
  void close(LiveConversation live) {
    if (byId.remove(live.id(), live)) {
      live.close();
    }
  }

  /// Closes those that were unused for too long.
  void closeUnused() {
    byId.keySet().forEach(id -> closeUnused(id, IDLE));
    long characters = 0;
    int count = 0;
    for (LiveConversation live : latestUsedFirst()) {
      // As text, and once more in a running request.
      characters += live.feed().characters() + 3 * live.fileBytes();
      count++;
      if (count > MOST_OPEN || characters > MOST_CHARACTERS) {
        closeUnused(live.id(), SHORTLY);
      }
    }
  }

  private List<LiveConversation> latestUsedFirst() {
    // Each is read once, since the unused time changes meanwhile.
    record Unused(LiveConversation live, long nanos) {}
    return byId.values().stream()
        .map(live -> new Unused(live, live.unused()))
        .sorted(Comparator.comparingLong(Unused::nanos))
        .map(Unused::live)
        .toList();
  }

  private void closeUnused(String id, long unused) {
    LiveConversation unusedRest =
        byId.computeIfPresent(
            id,
            (name, live) -> {
              boolean idle = live.unused() > unused && !live.isBroken();
              if (!idle || live.isRunningHere() || live.feed().isRead()) {
                return live;
              }
              live.close();
              return null;
            });
  }
}
