package dev.switchboard.server.dialect;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The description of an agent for clients of AG-UI: its tools, and how people approve calls.
public final class AgUiConsent {
  private AgUiConsent() {}

  /// The agent's capabilities, `AgentCapabilities`.
  public static Json capabilities(List<ToolDefinition> tools) {
    ObjectNode all = Codec.object();
    all.putObject("transport").put("streaming", true);
    ObjectNode offered = all.putObject("tools").put("supported", true);
    ArrayNode items = offered.putArray("items");
    for (ToolDefinition tool : tools) {
      ObjectNode item = items.addObject().put("name", tool.name());
      item.put("description", tool.description()).set("parameters", tool.parameters().tree());
      item.putObject("metadata").putObject("switchboard").put("mode", tool.mode().word());
    }
    offered.put("parallelCalls", true).put("clientProvided", false);
    ObjectNode people = all.putObject("humanInTheLoop").put("supported", true);
    people.put("approvals", true).put("interrupts", true).put("approveWithEdits", true);
    return Json.of(all);
  }

  /// The interrupt for a request for consent.
  ///
  /// @param schemas the parameters of the tool of that name, null if the client may only approve
  ///   the call as it is, once
  static ObjectNode of(
      String conversation, JsonNode request, Function<String, @Nullable Json> schemas) {
    JsonNode call = request.path("call");
    ObjectNode out = Codec.object().put("id", CallTracker.qualified(conversation, request));
    out.put("reason", "tool_call").put("toolCallId", call.path("id").asString(""));
    out.put("message", request.path("reason").asString(""));
    AgUi.copy(request, "expiresAt", out);
    out.set("responseSchema", answer(schemas.apply(call.path("name").asString(""))));
    ObjectNode metadata = Codec.object();
    AgUi.copy(request, "mode", metadata);
    AgUi.copy(request, "scope", metadata);
    AgUi.putMetadata(out, metadata);
    return out;
  }

  private static ObjectNode answer(@Nullable Json edited) {
    ObjectNode schema = Frames.of("object");
    ObjectNode members = schema.putObject("properties");
    members.putObject("approved").put("type", "boolean");
    if (edited != null) {
      members.set("editedArgs", edited.tree());
    }
    members.putObject("reason").put("type", "string");
    if (edited != null) {
      members.putObject("always").put("type", "boolean");
      members.putObject("for").put("type", "string");
    }
    schema.putArray("required").add("approved");
    return schema;
  }
}
