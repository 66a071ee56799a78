package dev.switchboard.openai;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.CallIds;
import dev.switchboard.provider.Keywords;
import dev.switchboard.provider.ReplyPart;
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
/// @param own whether it is sent to a service of OpenAI's own models
/// @param by the name of the model whose items are sent
/// @param reasoning which messages of the model have reasoning
/// @param signed whether each call needs a signature, also one that the model did not ask for
record ChatRequest(
    String model,
    ModelOptions options,
    boolean own,
    boolean streamed,
    String by,
    Reasoning reasoning,
    boolean signed) {
  static final String NO_RESULT = "(empty)";
  static final String REASONING = "reasoning_content";
  static final String EXTRA = "extra_content";

  private static final CallIds IDS = new CallIds(40, false);

  // Kimi and DeepSeek take an empty one for a missing one.
  private static final String NO_REASONING = " ";

  // What Gemini accepts in place of a signature that it has not made.
  private static final String NO_SIGNATURE = "skip_thought_signature_validator";
  private static final String SIGNATURE = "/extra_content/google/thought_signature";
  private static final List<String> EFFORTS =
      List.of("none", "minimal", "low", "medium", "high", "xhigh", "max");
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

  /// What a server accepts of the reasoning of replies.
  enum Reasoning {
    /// Nothing.
    NEVER,
    /// What the replies had.
    KEPT,
    /// Reasoning at every message, a placeholder where the model had none.
    ALWAYS
  }

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
    for (String member : options.more().tree().propertyNames()) {
      if (OWN.contains(member)) {
        return ModelOptions.Misuse.own(member);
      }
    }
    return misuseOfReasoning(options);
  }

  /// A fault of how much the model is to think, null for none.
  static ModelOptions.@Nullable Misuse misuseOfReasoning(ModelOptions options) {
    String effort = options.reasoning();
    return effort == null || EFFORTS.contains(effort)
        ? null
        : new ModelOptions.Misuse(
            "reasoning", "must be one of '" + String.join("', '", EFFORTS) + "' here");
  }

  /// Whether the provider can keep to the schema of a format.
  static boolean isStrict(ModelRequest.ReplyFormat format) {
    JsonNode schema = format.schema().tree();
    return format.strict() && STRICT.hold(schema) && !schema.has("anyOf");
  }

  private static void format(ObjectNode out, ModelRequest.ReplyFormat format) {
    ObjectNode stated = out.putObject("response_format").put("type", "json_schema");
    ObjectNode named = stated.putObject("json_schema").put("name", format.name());
    named.put("strict", isStrict(format));
    named.set("schema", format.schema().tree());
  }

  private ObjectNode message(Message message) {
    return switch (message) {
      case Message.System(String text) -> words("system", text);
      case Message.User(String text, List<Message.Attachment> files) ->
          files.isEmpty() ? words("user", text) : parts(text, files);
      case Message.Notice(String text) -> words("system", text);
      case Message.Assistant said -> assistant(said);
      case Message.Result(String callId, String tool, String text, boolean success) ->
          Codec.object()
              .put("role", "tool")
              .put("tool_call_id", id(callId))
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

  private ObjectNode assistant(Message.Assistant said) {
    ObjectNode out = words("assistant", said.text());
    ReplyPart.of(said, by)
        .forEach(part -> {
          if (!own && part instanceof ReplyPart.Item(JsonNode json)) {
            json.forEachEntry((name, value) -> {
              if (name.equals(EXTRA) || name.equals(REASONING) && reasoning != Reasoning.NEVER) {
                out.set(name, value);
              }
            });
          }
        });
    if (reasoning == Reasoning.ALWAYS && out.path(REASONING).asString("").isEmpty()) {
      out.put(REASONING, NO_REASONING);
    }
    if (said.calls().isEmpty()) {
      return out;
    }
    if (said.text().isEmpty()) {
      out.putNull("content");
    }
    boolean mine = said.items() == null || said.items().isFor(by);
    ArrayNode list = out.putArray("tool_calls");
    said.calls().forEach(call -> list.add(call(call, mine)));
    if (signed && list.valueStream().noneMatch(call -> call.at(SIGNATURE).isString())) {
      list.forEach(call ->
          ((ObjectNode) call)
              .withObject(EXTRA)
              .withObject("google")
              .put("thought_signature", NO_SIGNATURE));
    }
    return out;
  }

  /// OpenAI itself needs nothing back, and rejects what other servers need.
  ///
  /// @param mine whether the model itself asked for the call, as far as is known
  private ObjectNode call(RequestedCall call, boolean mine) {
    ObjectNode out = Codec.object().put("id", id(call.id())).put("type", "function");
    out.putObject("function").put("name", call.name()).put("arguments", call.arguments().text());
    Json extra = call.extra();
    if (!own && mine && extra != null && extra.tree() instanceof ObjectNode members) {
      members.forEachEntry((name, value) -> {
        if (!out.has(name) && !RequestedCall.isPrivate(name)) {
          out.set(name, value.deepCopy());
        }
      });
    }
    return out;
  }

  /// Servers of other models need their own ids back, whatever they are.
  private String id(String id) {
    return own ? IDS.of(id) : id;
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
