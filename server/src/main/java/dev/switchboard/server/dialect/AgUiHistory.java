package dev.switchboard.server.dialect;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The messages that a client of AG-UI has after reading the streams of a conversation, without
/// hints.
public final class AgUiHistory {
  private final List<ObjectNode> messages = new ArrayList<>();
  private final Map<String, ObjectNode> byId = new HashMap<>();
  private final Map<String, ObjectNode> owners = new HashMap<>(); // of calls
  private final StringBuilder words = new StringBuilder();
  private ObjectNode open = Codec.object(); // the message of these fragments
  private ObjectNode function = Codec.object(); // of the latest call

  private AgUiHistory() {}

  /// The messages of all events of a conversation, a list of `Message`.
  public static Json of(List<Event.Logged> events) {
    AgUiHistory history = new AgUiHistory();
    AgUi runs = AgUi.into(history::take);
    for (Event.Logged event : Frames.withoutVoid(events)) {
      JsonNode tree = Frames.read(event);
      if (tree.path("event").asString("").equals("user")) {
        runs.rest();
        JsonNode said = tree.path("payload");
        ObjectNode message = message(said.path("id").asString(""), "user");
        history.add(message.put("content", Parts.shown(said)));
      } else if (tree.path("type").asString("").equals("done")) {
        runs.rest();
      } else {
        String unused = runs.encode(event);
      }
    }
    runs.rest();
    ArrayNode all = Codec.object().arrayNode();
    history.messages.forEach(all::add);
    return Json.text(Frames.text(all));
  }

  private static ObjectNode message(String id, String role) {
    return Codec.object().put("id", id).put("role", role);
  }

  private void add(ObjectNode message) {
    messages.add(message);
    byId.put(message.path("id").asString(), message);
  }

  private void take(ObjectNode event) {
    String id = event.path("messageId").asString("");
    String call = event.path("toolCallId").asString("");
    switch (event.path("type").asString()) {
      case "TEXT_MESSAGE_START" -> {
        open = message(id, "assistant");
        words.setLength(0);
        add(open);
      }
      case "TEXT_MESSAGE_CONTENT" -> words.append(event.path("delta").asString());
      case "TEXT_MESSAGE_END" -> open.put("content", words.toString());
      case "TOOL_CALL_START" -> called(call, event);
      case "TOOL_CALL_ARGS" -> function.set("arguments", event.get("delta"));
      case "TOOL_CALL_RESULT" -> settled(call, event);
      default -> {}
    }
  }

  private void called(String call, ObjectNode event) {
    String parent = event.path("parentMessageId").asString(call);
    ObjectNode owner = byId.get(parent);
    if (owner == null) {
      owner = message(parent, "assistant");
      add(owner);
    }
    owners.put(call, owner);
    ObjectNode toolCall = owner.withArray("toolCalls").addObject();
    toolCall.put("id", call).put("type", "function");
    function = toolCall.putObject("function");
    function.set("name", event.get("toolCallName"));
    AgUi.copy(event, "metadata", toolCall);
  }

  /// Adds a result after the message of its call and earlier results.
  private void settled(String call, ObjectNode event) {
    ObjectNode result = message(event.path("messageId").asString(), "tool");
    result.put("toolCallId", call).set("content", event.get("content"));
    AgUi.copy(event, "metadata", result);
    int at = messages.indexOf(owners.get(call)) + 1;
    if (at == 0) {
      at = messages.size();
    }
    while (at < messages.size() && messages.get(at).path("role").asString().equals("tool")) {
      at++;
    }
    messages.add(at, result);
  }
}
