package dev.switchboard.server.dialect;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Codec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The calls of a turn according to its events: which exist, which run, and which wait for consent.
///
/// For one thread at a time.
final class CallTracker {
  private final Map<String, JsonNode> calls = new HashMap<>(); // events, by id
  private final Set<String> running = new HashSet<>();
  private final Map<String, JsonNode> requests = new LinkedHashMap<>(); // payloads, by id
  private boolean settled; // whether a result has arrived since the last text or call

  /// Handles an event.
  void note(JsonNode event) {
    JsonNode payload = event.path("payload");
    switch (event.path("type").asString("")) {
      case "content" -> {
        boolean words = !event.path("content").asString("").isEmpty();
        settled = settled && !(words && running.isEmpty());
      }
      case "tool_call" -> {
        settled = settled && !running.isEmpty();
        calls.put(payload.path("id").asString(""), event);
        running.add(payload.path("id").asString(""));
      }
      case "tool_result" -> {
        settled = true;
        running.remove(payload.path("callId").asString(""));
        requests.remove(payload.path("callId").asString(""));
      }
      case "agent" -> {
        String id = payload.path("id").asString("");
        switch (event.path("event").asString("")) {
          case "consent_request" -> requests.put(id, payload);
          case "consent_answer" -> requests.remove(id);
          default -> {}
        }
      }
      default -> {}
    }
  }

  /// Whether all calls of the round have their results, so that further text and calls belong to
  /// the next one.
  boolean roundIsOver() {
    return settled && running.isEmpty();
  }

  /// The event of the call, null if there was none.
  @Nullable JsonNode call(String id) {
    return calls.get(id);
  }

  /// Whether the call and its result were reported.
  boolean isSettled(String id) {
    return calls.containsKey(id) && !running.contains(id);
  }

  /// The payloads of the unanswered requests, in order.
  List<JsonNode> requests() {
    return new ArrayList<>(requests.values());
  }

  /// The arguments of a call; an empty object if the model wrote none.
  static JsonNode arguments(JsonNode call) {
    JsonNode stated = call.path("arguments");
    boolean none = stated.isMissingNode() || stated.asString("-").isEmpty();
    return none ? Codec.object() : stated;
  }

  /// The text of a result for the model, or else for the person.
  static String text(JsonNode result) {
    for (String member : List.of("text", "error", "message")) {
      if (!result.path(member).asString("").isEmpty()) {
        return result.path(member).asString();
      }
    }
    return "";
  }

  /// The id of a request, unique in the server.
  static String qualified(String conversation, JsonNode request) {
    return ConsentRequest.qualifiedId(conversation, request.path("id").asString(""));
  }
}
