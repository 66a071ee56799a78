package dev.switchboard.server.dialect;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The messages that a client of the AI SDK has after reading the streams of a conversation,
/// without progress.
public final class UiHistory {
  private final UiMessages chunks;
  private final ArrayNode messages = Codec.object().arrayNode();
  private final Map<String, ObjectNode> tools = new HashMap<>(); // parts, by call
  private final StringBuilder words = new StringBuilder();
  private ObjectNode open = Codec.object(); // the text of these fragments
  private @Nullable ArrayNode parts; // of the assistant's message of this turn
  private String input = "greeting";

  private UiHistory(String conversation) {
    chunks = UiMessages.into(this::take, conversation);
  }

  /// The messages of all events of a conversation, a list of `UIMessage`.
  public static Json of(String conversation, List<Event.Logged> events) {
    UiHistory history = new UiHistory(conversation);
    for (Event.Logged event : Frames.withoutVoid(events)) {
      JsonNode tree = Frames.read(event);
      if (tree.path("event").asString("").equals("user")) {
        history.begin(tree.path("payload"));
      } else if (tree.path("type").asString("").equals("done")) {
        history.chunks.rest();
      } else {
        String unused = history.chunks.encode(event);
      }
    }
    history.chunks.rest();
    return Json.text(Frames.text(history.messages));
  }

  private void begin(JsonNode said) {
    chunks.rest();
    parts = null;
    input = said.path("id").asString("");
    ObjectNode message = messages.addObject().put("id", input).put("role", "user");
    ObjectNode text = message.putArray("parts").addObject().put("type", "text");
    text.put("text", said.path("text").asString(""));
    for (JsonNode file : said.path("files")) {
      ObjectNode shown = message.withArray("parts").addObject().put("type", "text");
      shown.put("text", Parts.placeholder(file));
    }
  }

  private ObjectNode part(String type) {
    if (parts == null) {
      ObjectNode message = messages.addObject().put("id", UiMessages.reply(input));
      parts = message.put("role", "assistant").putArray("parts");
    }
    return parts.addObject().put("type", type);
  }

  private void take(ObjectNode chunk) {
    String type = chunk.path("type").asString();
    switch (type) {
      case "start-step" -> part("step-start");
      case "text-start" -> {
        open = part("text");
        words.setLength(0);
      }
      case "text-delta" -> words.append(chunk.path("delta").asString());
      case "text-end" -> open.put("text", words.toString()).put("state", "done");
      case "tool-input-available" -> called(chunk);
      case "tool-approval-request" -> {
        ObjectNode part = to(chunk, "approval-requested");
        ObjectNode approval = part.putObject("approval");
        approval.set("id", chunk.get("approvalId"));
        approval.set("descriptor", chunk.get("approvalDescriptor"));
      }
      case "tool-output-available" ->
          settled(chunk, "output-available").set("output", Frames.shallow(chunk.get("output")));
      case "tool-output-error" ->
          settled(chunk, "output-error").set("errorText", chunk.get("errorText"));
      case "tool-output-denied" -> to(chunk, "output-denied");
      case "data-consent_answer" -> answered(chunk.get("data"));
      case "data-error", "data-budget_exhausted" -> part(type).set("data", chunk.get("data"));
      default -> {}
    }
  }

  private ObjectNode to(JsonNode chunk, String state) {
    return tool(chunk).put("state", state);
  }

  /// A part with a result may have an approval only if it was approved.
  private ObjectNode settled(JsonNode chunk, String state) {
    ObjectNode part = to(chunk, state);
    if (!part.path("approval").path("approved").asBoolean(false)) {
      part.remove("approval");
    }
    return part;
  }

  private ObjectNode tool(JsonNode chunk) {
    return tools.computeIfAbsent(chunk.path("toolCallId").asString(), call -> part("dynamic-tool"));
  }

  private void called(JsonNode chunk) {
    ObjectNode part = tool(chunk);
    part.set("toolName", chunk.get("toolName"));
    part.set("toolCallId", chunk.get("toolCallId"));
    part.put("state", "input-available").set("input", Frames.shallow(chunk.get("input")));
    part.put("providerExecuted", true);
    if (chunk.has("providerMetadata")) {
      part.set("callProviderMetadata", chunk.get("providerMetadata"));
    }
  }

  private void answered(JsonNode answer) {
    for (ObjectNode part : tools.values()) {
      if (part.get("approval") instanceof ObjectNode approval
          && approval.path("id").equals(answer.path("id"))) {
        approval.put("approved", !answer.path("decision").asString("").equals("deny"));
        AgUi.copy(answer, "reason", approval);
        part.put("state", "approval-responded");
      }
    }
  }
}
