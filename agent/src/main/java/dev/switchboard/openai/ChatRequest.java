package dev.switchboard.openai;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.Keywords;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The body of a request for a chat completion.
///
/// @param own whether it is sent to OpenAI itself
record ChatRequest(String model, ModelOptions options, boolean own, boolean streamed) {
  private static final String NO_RESULT = "(empty)";
  private static final List<String> EFFORTS =
      List.of("none", "minimal", "low", "medium", "high", "xhigh");
  private static final Set<String> OWN =
      Set.of(
          "model",
          "messages",
          "tools",
          "tool_choice",
          "functions",
          "function_call",
          "response_format",
          "temperature",
          "max_tokens",
          "max_completion_tokens",
          "reasoning_effort",
          "stream",
          "stream_options",
          "n");
  private static final Keywords STRICT =
      Keywords.of(
          "type",
          "properties",
          "required",
          "additionalProperties",
          "items",
          "enum",
          "const",
          "anyOf",
          "$ref",
          "$defs",
          "title",
          "description",
          "pattern",
          "format",
          "multipleOf",
          "minimum",
          "maximum",
          "exclusiveMinimum",
          "exclusiveMaximum",
          "minItems",
          "maxItems");

  Json of(ModelRequest request) {
    ObjectNode out = Codec.object().put("model", model);
    ArrayNode messages = out.putArray("messages");
    request.messages().forEach(message -> messages.add(message(message)));
    if (!request.tools().isEmpty()) {
      ArrayNode tools = out.putArray("tools");
      request.tools().forEach(tool -> tools.add(tool(tool)));
      out.put("tool_choice", request.choice().name().toLowerCase(Locale.ROOT));
    }
    ModelRequest.ReplyFormat format = request.format();
    if (format != null) {
      format(out, format);
    }
    if (options.temperature() != null) {
      out.put("temperature", options.temperature());
    }
    if (options.maxTokens() != null) {
      // Compatible servers know only the older name, OpenAI's newer models the newer one.
      out.put(own ? "max_completion_tokens" : "max_tokens", options.maxTokens());
    }
    if (options.reasoning() != null) {
      out.put("reasoning_effort", options.reasoning());
    }
    if (streamed) {
      out.put("stream", true);
      out.putObject("stream_options").put("include_usage", true);
    }
    options.more().tree().forEachEntry(out::set);
    return Json.of(out);
  }

  /// An option that this API does not support, null for none.
  static ModelOptions.@Nullable Misuse misuse(ModelOptions options) {
    String effort = options.reasoning();
    if (effort != null && !EFFORTS.contains(effort)) {
      return new ModelOptions.Misuse(
          "reasoning", "must be one of '" + String.join("', '", EFFORTS) + "' here");
    }
    for (String member : options.more().tree().propertyNames()) {
      if (OWN.contains(member)) {
        return ModelOptions.Misuse.own(member);
      }
    }
    return null;
  }

  private static void format(ObjectNode out, ModelRequest.ReplyFormat format) {
    ObjectNode stated = out.putObject("response_format").put("type", "json_schema");
    ObjectNode named = stated.putObject("json_schema").put("name", format.name());
    JsonNode schema = format.schema().tree();
    named.put("strict", format.strict() && STRICT.hold(schema) && !schema.has("anyOf"));
    named.set("schema", schema);
  }

  private ObjectNode message(Message message) {
    return switch (message) {
      case Message.System(String text) -> words("system", text);
      case Message.User(String text, List<Message.Attachment> files) ->
          files.isEmpty() ? words("user", text) : parts(text, files);
      case Message.Notice(String text) -> words("system", text);
      case Message.Assistant(String text, List<RequestedCall> calls, var items) -> assistant(text, calls);
      case Message.Result(String callId, String tool, String text, boolean success) ->
          Codec.object()
              .put("role", "tool")
              .put("tool_call_id", callId)
              .put("content", text.isEmpty() ? NO_RESULT : text);
    };
  }

  private static ObjectNode parts(String text, List<Message.Attachment> files) {
    ObjectNode out = Codec.object().put("role", "user");
    ArrayNode content = out.putArray("content");
    if (!text.isBlank()) {
      content.addObject().put("type", "text").put("text", text);
    }
    for (Message.Attachment file : files) {
      ObjectNode part = content.addObject();
      String plain = file.text();
      if (plain != null) {
        part.put("type", "text").put("text", plain);
      } else if (file.isImage()) {
        part.put("type", "image_url").putObject("image_url").put("url", file.dataUrl());
      } else {
        part.put("type", "file")
            .putObject("file")
            .put("filename", file.name() == null ? "document.pdf" : file.name())
            .put("file_data", file.dataUrl());
      }
    }
    return out;
  }

  private static ObjectNode words(String role, String text) {
    return Codec.object().put("role", role).put("content", text);
  }

  private ObjectNode assistant(String text, List<RequestedCall> calls) {
    ObjectNode out = words("assistant", text);
    if (calls.isEmpty()) {
      return out;
    }
    if (text.isEmpty()) {
      out.putNull("content");
    }
    ArrayNode list = out.putArray("tool_calls");
    calls.forEach(call -> list.add(call(call)));
    return out;
  }

  /// OpenAI itself needs nothing back, and rejects what other servers need.
  private ObjectNode call(RequestedCall call) {
    ObjectNode out = Codec.object().put("id", call.id()).put("type", "function");
    out.putObject("function").put("name", call.name()).put("arguments", call.arguments().text());
    Json extra = call.extra();
    if (!own && extra != null && extra.tree() instanceof ObjectNode members) {
      members.forEachEntry((name, value) -> {
        if (!out.has(name) && !RequestedCall.isPrivate(name)) {
          out.set(name, value);
        }
      });
    }
    return out;
  }

  private static ObjectNode tool(ToolDefinition tool) {
    ObjectNode out = Codec.object().put("type", "function");
    ObjectNode function = out.putObject("function").put("name", tool.name());
    if (!tool.description().isEmpty()) {
      function.put("description", tool.description());
    }
    function.set("parameters", tool.parameters().tree());
    if (tool.strict()) {
      function.put("strict", true);
    }
    return out;
  }
}
