package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Codec;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The ids of calls and results in a request's body, of any API's form.
final class Answered {
  private Answered() {}

  /// The calls that the model asked for, in order.
  static List<String> calls(JsonNode body) {
    List<String> ids = new ArrayList<>();
    messages(body).forEach(message -> ids.addAll(callsOf(message)));
    return ids;
  }

  /// The calls that were answered, in order.
  static List<String> results(JsonNode body) {
    List<String> ids = new ArrayList<>();
    messages(body).forEach(message -> ids.addAll(resultsOf(message)));
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
    for (JsonNode message : messages(request)) {
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

  /// Whether it is what the server of others understands of a request.
  static boolean isOfJournal(JsonNode request) {
    return request.has("_endpointType");
  }

  /// The messages; items of a request for a response as messages of chat completions.
  private static List<JsonNode> messages(JsonNode request) {
    List<JsonNode> messages = new ArrayList<>();
    for (JsonNode message : request.path("messages")) {
      // The server's journal has each item as a message of its own.
      boolean more = isOfJournal(request) && !messages.isEmpty() && message.has("tool_calls");
      if (more && messages.getLast().path("tool_calls") instanceof ArrayNode before) {
        message.path("tool_calls").forEach(before::add);
      } else {
        messages.add(message.deepCopy());
      }
    }
    ArrayNode calls = null;
    for (JsonNode item : request.path("input")) {
      String id = item.path("call_id").asString("");
      ObjectNode message = Codec.object();
      switch (item.path("type").asString("")) {
        case "function_call" -> {
          if (calls == null) {
            calls = message.putArray("tool_calls");
            messages.add(message);
          }
          calls.addObject().put("id", id);
        }
        case "function_call_output" -> {
          messages.add(message.put("role", "tool").put("tool_call_id", id));
          calls = null;
        }
        default -> {
          messages.add(item);
          calls = null;
        }
      }
    }
    return messages;
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
