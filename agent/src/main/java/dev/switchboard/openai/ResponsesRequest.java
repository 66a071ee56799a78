package dev.switchboard.openai;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.CallIds;
import dev.switchboard.provider.ReplyPart;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The body of a request for a response. The provider stores nothing: all of the conversation is in
/// it, with the reasoning of the model in encrypted form.
///
/// @param by the name of the model whose items are sent
/// @param encrypted whether encrypted reasoning is requested
/// @param ids whether items are sent with their ids, which a provider that stores nothing refuses
record ResponsesRequest(
    String model, ModelOptions options, String by, boolean encrypted, boolean ids) {
  static final String REASONING = "reasoning";
  static final String MESSAGE = "message";
  static final String CALL = "function_call";

  private static final CallIds IDS = new CallIds(64, false);
  private static final Set<String> OWN =
      Set.of(
          "model",
          "input",
          "instructions",
          "previous_response_id",
          "conversation",
          "background",
          "truncation",
          "store",
          "include",
          "stream",
          "tools",
          "tool_choice",
          "prompt_cache_key",
          "max_output_tokens",
          "temperature");
  private static final Set<String> OF_CHAT =
      Set.of(
          "audio",
          "frequency_penalty",
          "function_call",
          "functions",
          "logit_bias",
          "logprobs",
          "max_completion_tokens",
          "max_tokens",
          "messages",
          "modalities",
          "n",
          "prediction",
          "presence_penalty",
          "reasoning_effort",
          "response_format",
          "seed",
          "stop",
          "verbosity",
          "web_search_options");

  Json of(ModelRequest request) {
    ObjectNode out = Codec.object().put("model", model).put("store", false).put("stream", true);
    if (encrypted) {
      out.putArray("include").add("reasoning.encrypted_content");
    }
    ArrayNode input = out.putArray("input");
    request.messages().forEach(message -> add(input, message));
    if (!request.declared().isEmpty()) {
      ArrayNode tools = out.putArray("tools");
      request.declared().forEach(tool -> tools.add(tool(tool)));
      choose(out, request);
    }
    ModelRequest.ReplyFormat format = request.format();
    if (format != null) {
      ObjectNode stated = out.withObject("text").putObject("format").put("type", "json_schema");
      stated.put("name", format.name()).put("strict", ChatRequest.isStrict(format));
      stated.set("schema", format.schema().tree());
    }
    if (request.cacheKey() != null) {
      out.put("prompt_cache_key", request.cacheKey());
    }
    if (options.reasoning() != null) {
      out.withObject(REASONING).put("effort", options.reasoning());
    }
    if (options.maxTokens() != null) {
      out.put("max_output_tokens", options.maxTokens());
    }
    if (options.temperature() != null) {
      out.put("temperature", options.temperature());
    }
    merge(out, options.more().tree());
    return Json.of(out);
  }

  /// An option that this API does not support, null for none.
  static ModelOptions.@Nullable Misuse misuse(ModelOptions options) {
    JsonNode more = options.more().tree();
    for (String member : more.propertyNames()) {
      if (OWN.contains(member)) {
        return ModelOptions.Misuse.own(member);
      }
      if (OF_CHAT.contains(member)) {
        return new ModelOptions.Misuse(
            "options." + member, "is for chat completions: set api = \"chat\"");
      }
    }
    if (more.path(REASONING).has("effort")) {
      return new ModelOptions.Misuse("options.reasoning.effort", "is set by the key 'reasoning'");
    }
    return more.path("text").has("format")
        ? ModelOptions.Misuse.own("text.format")
        : ChatRequest.misuseOfReasoning(options);
  }

  /// Adds further members, of objects in depth; they do not override those that are set.
  private static void merge(ObjectNode out, JsonNode more) {
    more.forEachEntry((name, value) -> {
      if (value.isObject() && out.get(name) instanceof ObjectNode known) {
        merge(known, value);
      } else {
        out.putIfAbsent(name, value);
      }
    });
  }

  /// What may be called now. The declared tools stay, since reasoning is tied to them.
  private static void choose(ObjectNode out, ModelRequest request) {
    String mode = request.choice().name().toLowerCase(Locale.ROOT);
    if (request.choice() == ModelRequest.ToolChoice.NONE
        || request.tools().size() == request.declared().size()) {
      out.put("tool_choice", mode);
      return;
    }
    ObjectNode allowed = out.putObject("tool_choice").put("type", "allowed_tools");
    ArrayNode tools = allowed.put("mode", mode).putArray("tools");
    request
        .tools()
        .forEach(tool -> tools.addObject().put("type", "function").put("name", tool.name()));
  }

  /// Without `strict` the server would change the schema.
  private static ObjectNode tool(ToolDefinition tool) {
    ObjectNode out = Codec.object().put("type", "function").put("name", tool.name());
    if (!tool.description().isEmpty()) {
      out.put("description", tool.description());
    }
    out.set("parameters", tool.parameters().tree());
    return out.put("strict", tool.strict());
  }

  private void add(ArrayNode input, Message message) {
    switch (message) {
      case Message.System(String text) -> input.add(message("developer", text));
      case Message.Notice(String text) -> input.add(message("developer", text));
      case Message.User(String text, var files) -> input.add(user(text, files));
      case Message.Assistant said -> ReplyPart.of(said, by).forEach(part -> input.add(part(part)));
      case Message.Result(String callId, var tool, String text, var success) ->
          input
              .addObject()
              .put("type", "function_call_output")
              .put("call_id", IDS.of(callId))
              .put("output", text.isEmpty() ? ChatRequest.NO_RESULT : text);
    }
  }

  private static ObjectNode message(String role, String text) {
    return Codec.object().put("type", MESSAGE).put("role", role).put("content", text);
  }

  private static ObjectNode user(String text, List<Message.Attachment> files) {
    ObjectNode out = Codec.object().put("type", MESSAGE).put("role", "user");
    ArrayNode content = out.putArray("content");
    if (!text.isBlank() || files.isEmpty()) {
      content.addObject().put("type", "input_text").put("text", text);
    }
    for (Message.Attachment file : files) {
      ObjectNode part = content.addObject();
      String plain = file.text();
      if (plain != null) {
        part.put("type", "input_text").put("text", plain);
      } else if (file.isImage()) {
        part.put("type", "input_image").put("image_url", file.dataUrl()).put("detail", "auto");
      } else {
        part.put("type", "input_file")
            .put("filename", file.name() == null ? "document.pdf" : file.name())
            .put("file_data", file.dataUrl());
      }
    }
    return out;
  }

  private ObjectNode part(ReplyPart part) {
    return switch (part) {
      case ReplyPart.Item(JsonNode json) -> item(json);
      case ReplyPart.Words(String text, var phase) -> said(text, phase);
      case ReplyPart.Requested(RequestedCall call) ->
          Codec.object()
              .put("type", CALL)
              .put("call_id", IDS.of(call.id()))
              .put("name", call.name())
              .put("arguments", call.arguments().text());
    };
  }

  private static ObjectNode said(String text, @Nullable String phase) {
    ObjectNode out = message("assistant", text);
    return phase == null ? out : out.put("phase", phase);
  }

  private ObjectNode item(JsonNode item) {
    String type = item.path("type").asString("");
    if (type.equals(MESSAGE)) {
      return said(text(item), phase(item));
    }
    ObjectNode out = Codec.object();
    item.forEachEntry((name, value) -> {
      if (ids || !name.equals("id")) {
        out.set(name, value);
      }
    });
    if (type.equals(REASONING)) {
      // Readable reasoning is for those who do not encrypt it.
      boolean readable = !item.path("encrypted_content").isString();
      out.retain("type", "id", "summary", readable ? "content" : "encrypted_content");
      if (!out.path("summary").isArray()) {
        out.putArray("summary");
      }
    }
    return out;
  }

  /// The words of a message.
  static String text(JsonNode message) {
    StringBuilder text = new StringBuilder();
    for (JsonNode part : message.path("content")) {
      text.append(part.path("text").asString("")).append(part.path("refusal").asString(""));
    }
    return text.toString();
  }

  /// What kind of words a message has, null if it does not say.
  static @Nullable String phase(JsonNode message) {
    JsonNode phase = message.path("phase");
    return phase.isString() ? phase.stringValue() : null;
  }
}
