package dev.switchboard.openai;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The body of a request for a chat completion.
///
/// @param own whether it goes to OpenAI itself
record ChatRequest(String model, ModelOptions options, boolean own, boolean streamed) {
  private static final String NO_RESULT = "(empty)";

  Json of(ModelRequest request) {
    ObjectNode out = Codec.object().put("model", model);
    ArrayNode messages = out.putArray("messages");
    request.messages().forEach(message -> messages.add(message(message)));
    if (!request.tools().isEmpty()) {
      ArrayNode tools = out.putArray("tools");
      request.tools().forEach(tool -> tools.add(tool(tool)));
      out.put("tool_choice", request.choice().name().toLowerCase(Locale.ROOT));
    }
    if (options.temperature() != null) {
      out.put("temperature", options.temperature());
    }
    if (options.maxTokens() != null) {
      // Compatible servers know the older name only, OpenAI's newer models the newer one.
      out.put(own ? "max_completion_tokens" : "max_tokens", options.maxTokens());
    }
    if (streamed) {
      out.put("stream", true);
      out.putObject("stream_options").put("include_usage", true);
    }
    return Json.of(out);
  }

  private static ObjectNode message(Message message) {
    return switch (message) {
      case Message.System(String text) -> words("system", text);
      case Message.User(String text) -> words("user", text);
      case Message.Notice(String text) -> words("system", text);
      case Message.Assistant(String text, List<RequestedCall> calls) -> assistant(text, calls);
      case Message.Result(String callId, String tool, String text, boolean success) ->
          Codec.object()
              .put("role", "tool")
              .put("tool_call_id", callId)
              .put("content", text.isEmpty() ? NO_RESULT : text);
    };
  }

  private static ObjectNode words(String role, String text) {
    return Codec.object().put("role", role).put("content", text);
  }

  private static ObjectNode assistant(String text, List<RequestedCall> calls) {
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

  private static ObjectNode call(RequestedCall call) {
    ObjectNode out = Codec.object().put("id", call.id()).put("type", "function");
    out.putObject("function").put("name", call.name()).put("arguments", call.arguments().text());
    Json extra = call.extra();
    if (extra != null && extra.tree() instanceof ObjectNode members) {
      members.forEachEntry((name, value) -> {
        if (!out.has(name)) {
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
