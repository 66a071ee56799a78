package dev.switchboard.provider;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The ids of calls and results in a request's body, of either provider's form.
final class Answered {
  private Answered() {}

  /// The calls that the model asked for, in order.
  static List<String> calls(JsonNode body) {
    List<String> ids = new ArrayList<>();
    for (JsonNode message : body.path("messages")) {
      message.path("tool_calls").forEach(call -> ids.add(call.path("id").asString()));
      blocks(message, "tool_use", "id", ids);
    }
    return ids;
  }

  /// The calls that were answered, in order.
  static List<String> results(JsonNode body) {
    List<String> ids = new ArrayList<>();
    for (JsonNode message : body.path("messages")) {
      if (message.path("role").asString("").equals("tool")) {
        ids.add(message.path("tool_call_id").asString());
      }
      blocks(message, "tool_result", "tool_use_id", ids);
    }
    return ids;
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
