package dev.switchboard.mcp.server;

import dev.switchboard.json.Codec;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Tools and their results in the form of the protocol.
final class ToolAnswers {
  private static final Set<String> PARTS = Set.of("image", "audio", "resource", "resource_link");

  private ToolAnswers() {}

  /// The descriptions of tools.
  static ArrayNode described(List<ToolDefinition> tools) {
    ArrayNode all = Codec.object().putArray("tools");
    tools.forEach(tool -> all.add(described(tool)));
    return all;
  }

  private static ObjectNode described(ToolDefinition tool) {
    ObjectNode described = Codec.object().put("name", tool.name());
    String usage = tool.usageRule() == null ? "" : "\n" + tool.usageRule();
    String description = (tool.description() + usage).strip();
    if (!description.isEmpty()) {
      described.put("description", description);
    }
    described.set("inputSchema", tool.parameters().tree());
    JsonNode output = output(tool);
    if (output != null) {
      described.set("outputSchema", output);
    }
    described.set("annotations", annotations(tool.mode()));
    return described;
  }

  /// The output schema if its type is an object; null otherwise.
  private static @Nullable JsonNode output(ToolDefinition tool) {
    JsonNode output = tool.output() == null ? null : tool.output().tree();
    return output != null && output.path("type").asString("").equals("object") ? output : null;
  }

  private static ObjectNode annotations(ToolMode mode) {
    ObjectNode hints = Codec.object().put("readOnlyHint", mode == ToolMode.READ);
    return switch (mode) {
      case READ -> hints;
      case SAFE_WRITE -> hints.put("destructiveHint", false).put("idempotentHint", true);
      case DESTRUCTIVE -> hints.put("destructiveHint", true);
      case LOCAL -> hints.put("destructiveHint", true).put("openWorldHint", false);
      case EXTERNAL -> hints.put("destructiveHint", false).put("openWorldHint", true);
    };
  }

  /// The result of a call.
  ///
  /// @param tool null if it is no longer known
  static ObjectNode result(ToolResult result, @Nullable ToolDefinition tool) {
    ObjectNode answer = Codec.object();
    ArrayNode content = answer.putArray("content");
    JsonNode data = result.data() == null ? Codec.object() : result.data().tree();
    JsonNode parts = data.path("parts");
    String text = text(result);
    boolean hasParts = result.success() && parts.isArray() && !parts.isEmpty();
    if (text != null && !(hasParts && text.equals(data.toString()))) {
      content.addObject().put("type", "text").put("text", text);
    }
    if (hasParts) {
      parts.forEach(part -> {
        if (PARTS.contains(part.path("type").asString(""))) {
          content.add(part);
        }
      });
    }
    if (result.success() && result.data() != null && tool != null && output(tool) != null) {
      answer.set("structuredContent", data);
    }
    return answer.put("isError", !result.success());
  }

  /// What a model reads of the result; of arguments that are wrong only the sentence, which names
  /// them.
  private static @Nullable String text(ToolResult result) {
    boolean faulty = !result.success() && result.code() == ResultCode.INVALID_ARGUMENTS;
    return faulty || result.text() == null ? result.error() : result.text();
  }

  /// A result that is only a text.
  static ObjectNode text(String text) {
    ObjectNode answer = Codec.object();
    answer.putArray("content").addObject().put("type", "text").put("text", text);
    return answer.put("isError", false);
  }
}
