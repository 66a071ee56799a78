package dev.switchboard.server;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Where the turns of a conversation stand in its log, for clients that ask for a turn and not for
/// a number.
///
/// @param events all of the conversation so far
record Turns(List<Event.Logged> events) {
  /// What the ids of calls begin with that a person makes.
  static final String BY_HAND = "hand_";

  private static final int PAGE = 1_000;

  /// Those of the conversation of that id.
  static Turns of(ConversationStore store, String conversation) {
    List<Event.Logged> all = new ArrayList<>();
    List<Event.Logged> page;
    do {
      page = store.events(conversation, all.size(), PAGE);
      all.addAll(page);
    } while (page.size() == PAGE);
    return new Turns(all);
  }

  /// The latest result that offers this call to take back what its own did, and that no call by
  /// hand has used since; null if there is none.
  Event.@Nullable Logged undoOffer(String tool, Json arguments) {
    Undo undo = new Undo(tool, arguments.tree());
    Map<String, JsonNode> calls = new HashMap<>(); // their events, by id
    Deque<Event.Logged> open = new ArrayDeque<>();
    for (Event.Logged event : events) {
      JsonNode tree = event.event().tree();
      JsonNode payload = tree.path("payload");
      switch (tree.path("type").asString("")) {
        case "tool_call" -> {
          String id = payload.path("id").asString("");
          calls.put(id, tree);
          if (id.startsWith(BY_HAND) && undo.is(payload)) {
            open.poll();
          }
        }
        case "tool_result" -> {
          JsonNode called = calls.get(payload.path("callId").asString(""));
          if (called != null && undo.isOffered(called, payload)) {
            open.push(event);
          }
        }
        default -> {}
      }
    }
    return open.peek();
  }

  /// A call that is to take back what another did.
  private record Undo(String tool, JsonNode arguments) {
    /// Only a tool that changes something has something to take back; what one outside says is not
    /// the host's word.
    private static final Set<ToolMode> OFFERING =
        EnumSet.of(ToolMode.SAFE_WRITE, ToolMode.DESTRUCTIVE);

    boolean is(JsonNode call) {
      return call.path("name").asString("").equals(tool)
          && call.path("arguments").equals(arguments);
    }

    /// @param called the event of the call that has the result; what a tool repeats of its
    ///   arguments is the caller's word, and no call takes itself back
    boolean isOffered(JsonNode called, JsonNode result) {
      JsonNode undo = result.path("data").path("undo");
      ToolMode mode = ToolMode.ofWord(called.path("mode").asString(""));
      JsonNode call = called.path("payload");
      return result.path("success").asBoolean(false)
          && is(undo)
          && mode != null
          && OFFERING.contains(mode)
          && !is(call)
          && !call.path("arguments").findValues("undo").contains(undo);
    }
  }

  /// The number of the latest event.
  long last() {
    return events.size();
  }

  /// The number of the event behind which the latest turn begins that has not ended, or the one
  /// that ended last.
  long beforeLatest() {
    long before = 0;
    for (Event.Logged event : events) {
      if (isDone(event) && !isPending(event) && event.number() < last()) {
        before = event.number();
      }
    }
    return before;
  }

  /// Where a turn came to rest that waited for a person.
  ///
  /// @param number of the event with which it did, -1 for nowhere
  /// @param requests that waited
  /// @param overtaken the number of the latest event with which it came to rest since and waited
  ///   for nothing but what a client now answers
  record Rest(long number, Set<String> requests, long overtaken) {
    private static final Rest NOWHERE = at(-1);

    static Rest at(long number) {
      return new Rest(number, Set.of(), number);
    }
  }

  /// Where a client stands that answers these requests: where the most of them waited, the last
  /// time. The turn may have gone on since with an answer given elsewhere, and wait for others.
  Rest restOf(Set<String> answered) {
    Rest rest = Rest.NOWHERE;
    long most = 1;
    Set<String> open = new HashSet<>();
    for (Event.Logged event : events) {
      JsonNode tree = event.event().tree();
      String request = tree.path("payload").path("id").asString("");
      switch (tree.path("event").asString("")) {
        case "consent_request" -> open.add(request);
        case "consent_answer" -> open.remove(request);
        default -> {}
      }
      long waited = open.stream().filter(answered::contains).count();
      if (isPending(event) && waited >= most) {
        rest = new Rest(event.number(), Set.copyOf(open), event.number());
        most = waited;
      } else if (isPending(event) && rest.number >= 0 && answered.containsAll(open)) {
        rest = new Rest(rest.number, rest.requests, event.number());
      }
    }
    return rest;
  }

  /// What was told since a turn came to rest until it did so again and waited for nothing but what
  /// the client now answers, without that it waited.
  List<Event.Logged> toldSince(Rest rest) {
    return events.subList((int) rest.number, (int) rest.overtaken).stream()
        .filter(event -> !isDone(event))
        .toList();
  }

  /// Whether the latest event is the end of a turn, or of its work until a person answers.
  boolean endInRest() {
    return !events.isEmpty() && isDone(events.getLast());
  }

  /// Whether the latest turn has ended.
  boolean isEnded() {
    return endInRest() && !isPending(events.getLast());
  }

  /// Whether the turn of that input has begun.
  boolean tellOf(String input) {
    return events.stream().anyMatch(event -> input.equals(event.run()));
  }

  /// The events of the turn that the event of that number is of, up to it.
  List<Event.Logged> ofTurnUpTo(long number) {
    int from = 0;
    for (Event.Logged event : events.subList(0, (int) number)) {
      if (isDone(event) && !isPending(event)) {
        from = (int) event.number();
      }
    }
    return events.subList(from, (int) number);
  }

  /// The number of the event behind which the latest round of the model begins, among the events up
  /// to that number: what it has said and called since is one message, which may still continue.
  long beforeRound(long number) {
    long before = 0;
    for (Event.Logged event : events.subList(0, (int) number)) {
      if (endsRound(event.event().tree())) {
        before = event.number();
      }
    }
    return before;
  }

  private static boolean endsRound(JsonNode event) {
    return switch (event.path("type").asString("")) {
      case "tool_result", "done" -> true;
      case "agent" ->
          switch (event.path("event").asString("")) {
            case "user", "reply_restarted" -> true;
            default -> false;
          };
      default -> false;
    };
  }

  /// The input with which the turn of these events began, null if there was none.
  static @Nullable String input(List<Event.Logged> turn) {
    for (Event.Logged event : turn) {
      if (isUser(event)) {
        return event.run();
      }
    }
    return null;
  }

  private static boolean isUser(Event.Logged event) {
    return event.event().tree().path("event").asString("").equals("user");
  }

  static boolean isDone(Event.Logged event) {
    return event.event().tree().path("type").asString("").equals("done");
  }

  private static boolean isPending(Event.Logged event) {
    JsonNode payload = event.event().tree().path("payload");
    return isDone(event) && payload.path("stopReason").asString("").equals("consent_pending");
  }
}
