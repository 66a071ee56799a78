package dev.switchboard.anthropic;

import dev.switchboard.json.Codec;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The messages of a conversation as the API wants them: user and assistant by turns, the user
/// first, no text empty, all results of one assistant message in the one user message behind it.
final class Turns {
  private static final String USER = "user";
  private static final String ASSISTANT = "assistant";
  private static final String OPENING = "(The conversation begins.)";
  private static final String NO_RESULT = "(empty)";

  private final ArrayNode turns = JsonNodeFactory.instance.arrayNode();

  void add(Message message) {
    switch (message) {
      case Message.System system -> {}
      case Message.User(String text) -> text(USER, text);
      case Message.Notice(String text) -> text(USER, text);
      case Message.Assistant assistant -> {
        text(ASSISTANT, assistant.text());
        assistant.calls().forEach(this::call);
      }
      case Message.Result result -> result(result);
    }
  }

  ArrayNode json() {
    if (turns.isEmpty()) {
      text(USER, OPENING);
    }
    return turns;
  }

  private void text(String role, String text) {
    if (!text.isBlank()) {
      block(role, "text").put("text", text);
    }
  }

  private void call(RequestedCall call) {
    ObjectNode block = block(ASSISTANT, "tool_use").put("id", call.id()).put("name", call.name());
    block.set("input", call.arguments().tree());
  }

  private void result(Message.Result result) {
    ObjectNode block =
        block(USER, "tool_result")
            .put("tool_use_id", result.callId())
            .put("content", result.text().isBlank() ? NO_RESULT : result.text());
    if (!result.success()) {
      block.put("is_error", true);
    }
  }

  private ObjectNode block(String role, String type) {
    if (turns.isEmpty() && role.equals(ASSISTANT)) {
      text(USER, OPENING);
    }
    JsonNode last = turns.isEmpty() ? Codec.object() : turns.get(turns.size() - 1);
    ArrayNode content =
        last.path("role").asString("").equals(role)
            ? (ArrayNode) last.path("content")
            : turns.addObject().put("role", role).putArray("content");
    return content.addObject().put("type", type);
  }
}
