package dev.switchboard.anthropic;

import dev.switchboard.json.Codec;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.CallIds;
import dev.switchboard.provider.ReplyPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The messages of a conversation in the API's form: user and assistant alternate, the user is
/// first, no text is empty, no assistant message ends in thinking, and all results of one are in
/// the one user message after it.
final class AlternatingMessages {
  private static final String USER = "user";
  private static final String ASSISTANT = "assistant";
  private static final String OPENING = "(The conversation begins.)";
  private static final String NO_RESULT = "(empty)";
  private static final CallIds IDS = new CallIds(64, true);
  private static final Set<String> THOUGHTS = Set.of("thinking", "redacted_thinking");

  private final ArrayNode turns = JsonNodeFactory.instance.arrayNode();
  private final String by;

  /// @param by the model, as its items name it
  AlternatingMessages(String by) {
    this.by = by;
  }

  void add(Message message) {
    switch (message) {
      case Message.System system -> {}
      case Message.User(String text, List<Message.Attachment> files) -> {
        files.forEach(this::file);
        text(USER, text);
      }
      case Message.Notice(String text) -> text(USER, text);
      case Message.Assistant assistant -> accepted(assistant).forEach(this::part);
      case Message.Result result -> result(result);
    }
  }

  ArrayNode json() {
    if (turns.isEmpty()) {
      text(USER, OPENING);
    }
    return turns;
  }

  /// The parts of a message that the API takes back.
  private List<ReplyPart> accepted(Message.Assistant said) {
    List<ReplyPart> parts = new ArrayList<>(ReplyPart.of(said, by));
    parts.removeIf(
        part -> part instanceof ReplyPart.Words(String text, var phase) && text.isBlank());
    withoutLastThoughts(parts);
    return parts;
  }

  /// Removes thinking at the end, which the API does not take back: nothing follows from it.
  static void withoutLastThoughts(List<ReplyPart> parts) {
    while (!parts.isEmpty()
        && parts.getLast() instanceof ReplyPart.Item(JsonNode last)
        && THOUGHTS.contains(last.path("type").asString(""))) {
      parts.removeLast();
    }
  }

  private void text(String role, String text) {
    if (!text.isBlank()) {
      block(role, "text").put("text", text);
    }
  }

  private void part(ReplyPart part) {
    switch (part) {
      case ReplyPart.Item(JsonNode json) -> {
        if (json.isObject()) {
          content(ASSISTANT).add(json);
        }
      }
      case ReplyPart.Words(String text, var phase) -> text(ASSISTANT, text);
      case ReplyPart.Requested(RequestedCall call) -> call(call);
    }
  }

  private void file(Message.Attachment file) {
    String text = file.text();
    if (text != null) {
      text(USER, text);
      return;
    }
    ObjectNode block = block(USER, file.isImage() ? "image" : "document");
    block
        .putObject("source")
        .put("type", "base64")
        .put("media_type", file.type())
        .put("data", file.data());
    if (!file.isImage() && file.name() != null) {
      block.put("title", file.name());
    }
  }

  /// Marks a block as the end of a prefix to cache.
  static void markCached(ObjectNode block) {
    block.putObject("cache_control").put("type", "ephemeral");
  }

  /// Marks the end of these messages, unless the last one is the model's.
  static void markCached(ArrayNode messages) {
    JsonNode last = messages.get(messages.size() - 1);
    JsonNode content = last.path("content");
    if (last.path("role").asString("").equals(USER)
        && content.get(content.size() - 1) instanceof ObjectNode block) {
      markCached(block);
    }
  }

  private void call(RequestedCall call) {
    ObjectNode block =
        block(ASSISTANT, "tool_use").put("id", IDS.of(call.id())).put("name", call.name());
    block.set("input", call.arguments().tree());
  }

  private void result(Message.Result result) {
    ObjectNode block =
        block(USER, "tool_result")
            .put("tool_use_id", IDS.of(result.callId()))
            .put("content", result.text().isBlank() ? NO_RESULT : result.text());
    if (!result.success()) {
      block.put("is_error", true);
    }
  }

  private ObjectNode block(String role, String type) {
    return content(role).addObject().put("type", type);
  }

  private ArrayNode content(String role) {
    if (turns.isEmpty() && role.equals(ASSISTANT)) {
      text(USER, OPENING);
    }
    JsonNode last = turns.isEmpty() ? Codec.object() : turns.get(turns.size() - 1);
    return last.path("role").asString("").equals(role)
        ? (ArrayNode) last.path("content")
        : turns.addObject().put("role", role).putArray("content");
  }
}
