package dev.switchboard.server;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Places;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Notices to pages that show many conversations: a turn begins, ends, or waits for consent.
/// Notices are not repeated: a page that reconnects requests the lists again.
///
/// Thread-safe.
final class Notices implements EventWatcher {
  private static final int MOST_WAITING = 1_000;
  // Wakes threads that wait for a notice.
  private static final Notice END = new Notice(null, Permission.OPERATE, Json.EMPTY_OBJECT);

  private final List<Reader> readers = new CopyOnWriteArrayList<>();
  private volatile boolean closed;
  private final Deque<Shown> answered = new ArrayDeque<>(); // guarded by itself
  private final Places places = new Places(Bound.ANSWERS);

  /// A notice, and who may see it.
  ///
  /// @param principal the owner of the conversation, null for none
  /// @param others the permission with which others may see it
  record Notice(@Nullable String principal, Permission others, Json json) {}

  /// A request that was answered since the server started; the store has what was asked and said.
  ///
  /// @param call the request's id in its conversation
  /// @param key of the event of the answer
  record Answered(
      ServedAgent agent,
      String conversation,
      @Nullable String principal,
      Instant at,
      String call,
      @Nullable String key) {
    /// Its id, unique in the server.
    String id() {
      return ResponseBodies.qualified(conversation, call);
    }
  }

  /// An answered request, and its place.
  private record Shown(Answered answer, Places.Place place) {}

  /// A page that receives notices.
  static final class Reader {
    private final LinkedBlockingQueue<Notice> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private volatile boolean over;

    LinkedBlockingQueue<Notice> waiting() {
      return waiting;
    }

    /// Whether the page has to begin again: it read too slowly and missed notices, or the server
    /// ends.
    boolean isOver() {
      return over;
    }
  }

  Reader enter() {
    Reader reader = new Reader();
    readers.add(reader);
    if (closed) {
      end(reader);
    }
    return reader;
  }

  void leave(Reader reader) {
    readers.remove(reader);
  }

  /// Whether a page receives notices.
  boolean isRead() {
    return !readers.isEmpty();
  }

  /// Ends all readers.
  void close() {
    closed = true;
    readers.forEach(Notices::end);
  }

  private static void end(Reader reader) {
    reader.over = true;
    boolean unused = reader.waiting.offer(END);
  }

  @Override
  public void handle(ServedAgent agent, String conversation, Event.Logged event) {
    JsonNode tree = event.event().tree();
    String word = tree.path("event").asString("");
    if (!tree.path("type").asString("").equals("agent")) {
      return;
    }
    JsonNode payload = tree.path("payload");
    String id = ResponseBodies.qualified(conversation, payload.path("id").asString(""));
    if (word.equals("consent_request")) {
      publish(agent, conversation, Permission.ANSWER_ALL, approval(id, "pending"));
    } else if (word.equals(ConsentAnswer.EVENT)) {
      String principal = agent.principal(conversation);
      String call = payload.path("id").asString("");
      addAnswered(new Answered(agent, conversation, principal, event.at(), call, event.key()));
      publish(agent, conversation, Permission.ANSWER_ALL, approval(id, "answered"));
    }
  }

  /// The oldest of the same principal makes room; if it has none, the answer is not shown.
  void addAnswered(Answered answer) {
    String principal = Objects.requireNonNullElse(answer.principal, "");
    synchronized (answered) {
      if (places.isFull(principal)) {
        removeOldest(answer.principal);
      }
      if (!places.isFull(principal)) {
        answered.addFirst(new Shown(answer, places.enter(principal)));
      }
    }
  }

  private void removeOldest(@Nullable String principal) {
    Iterator<Shown> oldestFirst = answered.descendingIterator();
    while (oldestFirst.hasNext()) {
      Shown shown = oldestFirst.next();
      if (Objects.equals(shown.answer.principal, principal)) {
        shown.place.close();
        oldestFirst.remove();
        return;
      }
    }
  }

  /// Forgets the requests of a deleted conversation.
  void forget(String conversation) {
    synchronized (answered) {
      List<Shown> gone =
          answered.stream()
              .filter(shown -> shown.answer.conversation.equals(conversation))
              .toList();
      answered.removeAll(gone);
      gone.forEach(shown -> shown.place.close());
    }
  }

  /// The requests answered recently, the latest first.
  List<Answered> answered() {
    synchronized (answered) {
      return answered.stream().map(Shown::answer).toList();
    }
  }

  private static Json approval(String id, String status) {
    return Json.of(Codec.object().put("type", "approval").put("id", id).put("status", status));
  }

  /// Reports that a turn began, ended or waits.
  void changed(ServedAgent agent, String conversation) {
    if (!readers.isEmpty()) {
      boolean runs = agent.isRunning(conversation);
      publish(
          agent,
          conversation,
          Permission.OPERATE,
          Json.of(
              Codec.object()
                  .put("type", "conversation")
                  .put("id", conversation)
                  .put("agent", agent.name())
                  .put("running", runs)));
    }
  }

  private void publish(ServedAgent agent, String conversation, Permission others, Json json) {
    if (readers.isEmpty()) {
      return;
    }
    Notice notice = new Notice(agent.principal(conversation), others, json);
    for (Reader reader : readers) {
      if (!reader.waiting.offer(notice)) {
        reader.over = true;
      }
    }
  }
}
