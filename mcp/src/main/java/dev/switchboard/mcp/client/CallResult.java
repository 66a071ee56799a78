package dev.switchboard.mcp.client;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Converts the result of `tools/call`: texts are joined, other parts become data, with a
/// placeholder for the model.
final class CallResult {
  private static final int LONGEST_PART = 256 * 1024; // characters of a part in Base64
  private static final int LONGEST_PARTS = 1024 * 1024;
  private static final int LONGEST_NAME = 200;

  private final List<String> text = new ArrayList<>();
  private final ArrayNode parts = Codec.object().putArray("parts");
  private int characters;

  private CallResult() {}

  /// The result of that tool.
  ///
  /// @param output the schema of its structured content, null if that is not checked
  static ToolResult of(JsonNode result, @Nullable ParameterSchema output) {
    CallResult read = new CallResult();
    result.path("content").forEach(read::take);
    JsonNode structured = result.path("structuredContent");
    boolean has = !structured.isMissingNode() && !structured.isNull();
    if (read.text.isEmpty() && has) {
      read.text.add(structured.toString());
    }
    String text = String.join("\n", read.text);
    if (result.path("isError").asBoolean(false)) {
      String error = text.isBlank() ? "the tool failed without a message" : text;
      return ToolResult.builder(false).needsFollowup(true).error(error).build();
    }
    String fault = has && output != null ? fault(structured, output) : null;
    if (fault != null) {
      return ToolResult.failure(ResultCode.FAILED, fault).build();
    }
    return ToolResult.builder(true).text(text).data(read.data(has ? structured : null)).build();
  }

  private static @Nullable String fault(JsonNode structured, ParameterSchema output) {
    Json value = Json.of(structured.isObject() ? structured : wrapped(structured));
    return switch (output.check(value)) {
      case Checked.Accepted accepted -> null;
      case Checked.Refused refused -> {
        Fault first = refused.faults().getFirst();
        yield "The server's structuredContent does not meet its outputSchema: %s: expected %s, found %s"
            .formatted(first.pointer(), first.expected(), first.found());
      }
    };
  }

  private static ObjectNode wrapped(JsonNode value) {
    ObjectNode wrapped = Codec.object();
    wrapped.set("value", value);
    return wrapped;
  }

  /// A schema that checks structured content of that schema; a value that is not an object is in
  /// `value`.
  static Json checking(JsonNode output) {
    if (output.path("type").asString("").equals("object")) {
      return Json.of(output);
    }
    ObjectNode schema = Codec.object().put("type", "object");
    ObjectNode part = output instanceof ObjectNode stated ? stated.deepCopy() : Codec.object();
    // A resource of its own: its references lead from its own root.
    if (!part.path("$id").isString() && !part.path("id").isString()) {
      part.put(part.path("$schema").asString("").contains("draft-04") ? "id" : "$id", "output");
    }
    schema.putObject("properties").set("value", part);
    schema.putArray("required").add("value");
    return Json.of(schema);
  }

  private void take(JsonNode part) {
    switch (part.path("type").asString("")) {
      case "text" -> text.add(part.path("text").asString(""));
      case "image", "audio" -> {
        String type = part.path("type").asString("");
        text.add("[%s %s, %d bytes]".formatted(type, type(part), bytes(part.path("data"))));
        add(part, "data");
      }
      case "resource_link" -> {
        text.add("[resource %s]".formatted(shown(part.path("uri"))));
        add(part, "");
      }
      case "resource" -> resource(part);
      default -> {
        text.add("[a part of an unknown type]");
        add(part, "");
      }
    }
  }

  private void resource(JsonNode part) {
    JsonNode resource = part.path("resource");
    if (resource.path("text").isString()) {
      text.add(resource.path("text").stringValue());
    } else {
      text.add(
          "[resource %s %s, %d bytes]"
              .formatted(
                  shown(resource.path("uri")), type(resource), bytes(resource.path("blob"))));
    }
    add(part, "");
  }

  /// Adds a part, without its content if that is too large.
  private void add(JsonNode part, String content) {
    int length = part.toString().length();
    if (length <= LONGEST_PART && characters + length <= LONGEST_PARTS) {
      characters += length;
      parts.add(part);
    } else if (!content.isEmpty()) {
      ObjectNode rest = Codec.object();
      rest.put("type", part.path("type").asString("")).put("mimeType", type(part));
      parts.add(rest.put("omitted", bytes(part.path(content))));
    } else {
      parts.addObject().put("type", part.path("type").asString("")).put("omitted", length);
    }
  }

  private static long bytes(JsonNode base64) {
    return base64.asString("").length() * 3L / 4;
  }

  private static String type(JsonNode part) {
    return shown(part.path("mimeType"));
  }

  private static String shown(JsonNode name) {
    String text = name.asString("");
    return InvisibleCharacters.shown(text.substring(0, Math.min(text.length(), LONGEST_NAME)));
  }

  private @Nullable Json data(@Nullable JsonNode structured) {
    ObjectNode data = Codec.object();
    boolean taken = !parts.isEmpty() && structured != null && structured.has("parts");
    if (structured != null && structured.isObject() && !taken) {
      data.setAll((ObjectNode) structured);
    } else if (structured != null) {
      data.set("value", structured);
    }
    if (!parts.isEmpty()) {
      data.set("parts", parts);
    }
    return data.isEmpty() ? null : Json.of(data);
  }
}
