package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The ids of calls and results in a request's body, of either provider's form.
final class Answered {
  private Answered() {}

  /// The calls that the model asked for, in order.
  static List<String> calls(JsonNode body) {
    List<String> ids = new ArrayList<>();
    body.path("messages").forEach(message -> ids.addAll(callsOf(message)));
    return ids;
  }

  /// The calls that were answered, in order.
  static List<String> results(JsonNode body) {
    List<String> ids = new ArrayList<>();
    body.path("messages").forEach(message -> ids.addAll(resultsOf(message)));
    return ids;
  }

  /// Checks the requests of one conversation: in each of them, every call has exactly one result,
  /// right behind the message that asked for it, in the order of the calls; no two calls have the
  /// same id; and no request has lost a call of the one before.
  static void assertEveryCall(List<JsonNode> requests) {
    List<String> before = List.of();
    for (JsonNode request : requests) {
      assertEveryCall(request);
      List<String> calls = calls(request);
      assertThat(calls).as("calls of %s", request).doesNotHaveDuplicates();
      assertThat(calls.subList(0, Math.min(before.size(), calls.size())))
          .as("calls of the request before, in %s", request)
          .isEqualTo(before);
      before = calls;
    }
  }

  private static void assertEveryCall(JsonNode request) {
    List<String> due = new ArrayList<>();
    for (JsonNode message : request.path("messages")) {
      List<String> results = resultsOf(message);
      boolean one = isResult(message) && due.size() > 1;
      assertThat(one ? due.subList(0, 1) : due)
          .as("calls that are due at %s in %s", message, request)
          .isEqualTo(results);
      due = new ArrayList<>(due.subList(results.size(), due.size()));
      due.addAll(callsOf(message));
    }
    assertThat(due).as("calls without a result in %s", request).isEmpty();
  }

  private static List<String> callsOf(JsonNode message) {
    List<String> ids = new ArrayList<>();
    message.path("tool_calls").forEach(call -> ids.add(call.path("id").asString()));
    blocks(message, "tool_use", "id", ids);
    return ids;
  }

  private static List<String> resultsOf(JsonNode message) {
    List<String> ids = new ArrayList<>();
    if (isResult(message)) {
      ids.add(message.path("tool_call_id").asString());
    }
    blocks(message, "tool_result", "tool_use_id", ids);
    return ids;
  }

  /// Whether it is one result in OpenAI's form; Anthropic's has all of them in one message.
  private static boolean isResult(JsonNode message) {
    return message.path("role").asString("").equals("tool");
  }

  private static void blocks(JsonNode message, String type, String id, List<String> ids) {
    if (message.path("content").isArray()) {
      for (JsonNode block : message.path("content")) {
        if (block.path("type").asString("").equals(type)) {
          ids.add(block.path(id).asString());
        }
      }
    }
  }
}
