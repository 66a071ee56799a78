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

/// The positions of turns in a conversation's log, for clients that refer to turns, not numbers.
///
/// @param events all of the conversation so far
record TurnIndex(List<Event.Logged> events) {
  /// The prefix of the ids of a person's calls.
  static final String BY_HAND = "hand_";

  private static final int PAGE = 1_000;

  /// The number of the event before a turn that begins after that latest event. The beginning of
  /// the conversation belongs to its first turn, whose process may have died in between.
  static long before(long latest) {
    return latest == 1 ? 0 : latest;
  }

  /// The turns of the conversation of that id.
  static TurnIndex of(ConversationStore store, String conversation) {
    List<Event.Logged> all = new ArrayList<>();
    List<Event.Logged> page;
    do {
      page = store.events(conversation, all.size(), PAGE);
      all.addAll(page);
    } while (page.size() == PAGE);
    return new TurnIndex(all);
  }

  /// The latest result that offers this call to undo its own call, if no call by hand has used the
  /// offer since; null if there is none.
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

  /// A call that undoes another one.
  private record Undo(String tool, JsonNode arguments) {
    /// Only tools that change something offer to undo it. An external tool's result is not trusted
    /// for that.
    private static final Set<ToolMode> OFFERING =
        EnumSet.of(ToolMode.SAFE_WRITE, ToolMode.DESTRUCTIVE);

    boolean is(JsonNode call) {
      return call.path("name").asString("").equals(tool)
          && call.path("arguments").equals(arguments);
    }

    /// @param called the event of the call with the result. Arguments that a tool repeats come from
    ///   the caller, and no call undoes itself
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

  /// The number of the event before the latest turn that has not ended, or else before the latest
  /// turn.
  long beforeLatest() {
    long before = 0;
    for (Event.Logged event : events) {
      if (isDone(event) && !isPending(event) && event.number() < last()) {
        before = event.number();
      }
    }
    return before;
  }

  /// Where a turn began to wait for a person.
  ///
  /// @param number of the event with which it did, -1 for none
  /// @param requests that waited
  /// @param overtaken the number of the latest event with which it began to wait since, for nothing
  ///   but requests that a client now answers
  record Rest(long number, Set<String> requests, long overtaken) {
    private static final Rest NOWHERE = at(-1);

    static Rest at(long number) {
      return new Rest(number, Set.of(), number);
    }
  }

  /// The position of a client that answers these requests: the last point at which most of them
  /// waited. The turn may have continued since by an answer from elsewhere, and wait for others.
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

  /// The events from one wait of a turn to the next in which it waited for nothing but requests
  /// that the client now answers, without the waits.
  List<Event.Logged> eventsSince(Rest rest) {
    return events.subList((int) rest.number, (int) rest.overtaken).stream()
        .filter(event -> !isDone(event))
        .toList();
  }

  /// Whether the latest event is the end of a turn, or the beginning of its wait.
  boolean endInRest() {
    return !events.isEmpty() && isDone(events.getLast());
  }

  /// Whether the latest turn has ended.
  boolean isEnded() {
    return endInRest() && !isPending(events.getLast());
  }

  /// Whether the log has the turn of that input.
  boolean hasTurn(String input) {
    return events.stream().anyMatch(event -> input.equals(event.run()));
  }

  /// The events of the turn of the event of that number, up to it.
  List<Event.Logged> ofTurnUpTo(long number) {
    int from = 0;
    for (Event.Logged event : events.subList(0, (int) number)) {
      if (isDone(event) && !isPending(event)) {
        from = (int) event.number();
      }
    }
    return events.subList(from, (int) number);
  }

  /// The number of the event before the latest round of the model, among the events up to that
  /// number. The events since are one message, which may still continue.
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

  /// The input of the turn of these events, null if there was none.
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
