package dev.switchboard.anthropic;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.provider.Keywords;
import dev.switchboard.provider.ReplyPart;
import dev.switchboard.tool.ToolDefinition;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The body of a request for a message, which is streamed.
///
/// @param by the model, as its items name it
record MessagesRequest(String model, ModelOptions options, String by) {
  // The API requires a limit, into which thinking counts.
  private static final int USUAL_TOKENS = 16_384;

  private static final int LEAST_THOUGHT = 1024;
  private static final String NO_THOUGHT = "none";
  private static final String BETWEEN_TOOLS = "between_tools";
  private static final List<String> EFFORTS =
      List.of(NO_THOUGHT, BETWEEN_TOOLS, "low", "medium", "high", "xhigh", "max");
  private static final Set<String> OWN =
      Set.of(
          "model",
          "messages",
          "system",
          "tools",
          "tool_choice",
          "temperature",
          "max_tokens",
          "stream");
  private static final Keywords FORMAT =
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
          "format",
          "default");

  Json of(ModelRequest request) {
    ObjectNode out = Codec.object().put("model", model).put("max_tokens", limit());
    String system = system(request.messages());
    if (!system.isBlank()) {
      system(out, system);
    }
    AlternatingMessages turns = new AlternatingMessages(by);
    request.messages().forEach(turns::add);
    ArrayNode messages = turns.json();
    if (options.caching()) {
      AlternatingMessages.markCached(messages);
    }
    out.set("messages", messages);
    tools(request, out);
    if (options.temperature() != null) {
      out.put("temperature", options.temperature());
    }
    think(out, request.messages());
    out.put("stream", true);
    ModelRequest.ReplyFormat format = request.format();
    if (format != null) {
      ObjectNode stated = out.withObject("output_config").putObject("format");
      stated.put("type", "json_schema").set("schema", format.schema().tree());
    }
    options.more().tree().forEachEntry((name, value) -> add(out, name, value));
    return Json.of(out);
  }

  /// Whether the API supports the format of a structured reply.
  static boolean takes(ModelRequest.ReplyFormat format) {
    JsonNode schema = format.schema().tree();
    return FORMAT.hold(schema) && Keywords.allClosed(schema) && !Keywords.recursive(schema);
  }

  /// An option that this API does not support, null for none.
  static ModelOptions.@Nullable Misuse misuse(ModelOptions options) {
    JsonNode more = options.more().tree();
    for (String member : more.propertyNames()) {
      if (OWN.contains(member)) {
        return ModelOptions.Misuse.own(member);
      }
    }
    if (more.path("output_config").has("format")) {
      return ModelOptions.Misuse.own("output_config.format");
    }
    Double temperature = options.temperature();
    if (temperature != null && temperature > 1) {
      return new ModelOptions.Misuse("temperature", "must be 0 to 1 here");
    }
    MessagesRequest request = new MessagesRequest("", options, "");
    if (temperature != null && temperature != 1 && request.thinks()) {
      return new ModelOptions.Misuse("temperature", "must be 1 where the model thinks first");
    }
    return options.reasoning() == null ? null : request.misuse(options.reasoning());
  }

  private ModelOptions.@Nullable Misuse misuse(String reasoning) {
    Integer most = options.maxTokens();
    String why = null;
    if (options.more().tree().has("thinking")) {
      why = "and 'options.thinking' say the same";
    } else if (budget() == 0 && !EFFORTS.contains(reasoning)) {
      why =
          "must be one of '%s', or for older models a number of tokens"
              .formatted(String.join("', '", EFFORTS));
    } else if (budget() > 0 && budget() < LEAST_THOUGHT) {
      why = "must be at least 1024 tokens";
    } else if (most != null && most <= budget()) {
      why = "must be fewer tokens than 'max_tokens'";
    }
    return why == null ? null : new ModelOptions.Misuse("reasoning", why);
  }

  /// The thinking budget of an older model in tokens, 0 if it is not stated in tokens.
  private int budget() {
    String stated = options.reasoning();
    return stated != null && Character.isDigit(stated.charAt(0)) ? Integer.parseInt(stated) : 0;
  }

  /// The maximum tokens of a reply.
  int limit() {
    Integer stated = options.maxTokens();
    return stated == null ? USUAL_TOKENS + budget() : stated;
  }

  /// Whether the model thinks before it replies.
  private boolean thinks() {
    String stated = options.reasoning();
    JsonNode more = options.more().tree().path("thinking");
    return stated == null
        ? more.isObject() && !more.path("type").asString("").equals("disabled")
        : !stated.equals(NO_THOUGHT);
  }

  /// An older model needs its thinking back before every call of the turn; calls of the runtime and
  /// of other models have none.
  private boolean hasThoughts(List<Message> messages) {
    for (Message message : messages.reversed()) {
      if (message instanceof Message.User) {
        return true;
      }
      if (message instanceof Message.Assistant said
          && !said.calls().isEmpty()
          && !(ReplyPart.of(said, by).getFirst() instanceof ReplyPart.Item)) {
        return false;
      }
    }
    return true;
  }

  private void think(ObjectNode out, List<Message> messages) {
    String stated = options.reasoning();
    if (stated == null || budget() > 0 && !hasThoughts(messages)) {
      return;
    }
    ObjectNode thinking = out.putObject("thinking");
    if (stated.equals(NO_THOUGHT)) {
      thinking.put("type", "disabled");
    } else if (stated.equals(BETWEEN_TOOLS)) {
      thinking.put("type", BETWEEN_TOOLS);
    } else if (budget() > 0) {
      thinking.put("type", "enabled").put("budget_tokens", budget());
    } else {
      thinking.put("type", "adaptive");
      out.withObject("output_config").put("effort", stated);
    }
  }

  /// Adds a further option; it does not override one that is set.
  private static void add(ObjectNode out, String name, JsonNode value) {
    if (value.isObject() && out.get(name) instanceof ObjectNode known) {
      value.forEachEntry((member, one) -> known.putIfAbsent(member, one));
    } else {
      out.putIfAbsent(name, value);
    }
  }

  private void system(ObjectNode out, String text) {
    if (options.caching()) {
      ObjectNode block = out.putArray("system").addObject().put("type", "text").put("text", text);
      AlternatingMessages.markCached(block);
    } else {
      out.put("system", text);
    }
  }

  private static String system(List<Message> messages) {
    return messages.stream()
        .filter(Message.System.class::isInstance)
        .map(message -> ((Message.System) message).text())
        .collect(Collectors.joining("\n\n"));
  }

  /// All tools that the model knows, so that the request begins as the one before. A conversation
  /// that contains calls needs tools, even if there are none any more.
  private void tools(ModelRequest request, ObjectNode out) {
    Set<String> called = request.declared().isEmpty() ? called(request.messages()) : Set.of();
    if (request.declared().isEmpty() && called.isEmpty()) {
      return;
    }
    ArrayNode list = out.putArray("tools");
    request.declared().forEach(tool -> list.add(tool(tool)));
    called.forEach(name -> {
      ObjectNode tool = list.addObject().put("name", name);
      tool.putObject("input_schema").put("type", "object");
    });
    if (options.caching() && list.get(list.size() - 1) instanceof ObjectNode last) {
      AlternatingMessages.markCached(last);
    }
    // A model that thinks cannot be forced to call a tool.
    boolean none = request.choice() == ModelRequest.ToolChoice.NONE;
    out.putObject("tool_choice").put("type", none ? "none" : "auto");
  }

  private static Set<String> called(List<Message> messages) {
    Set<String> names = new LinkedHashSet<>();
    for (Message message : messages) {
      if (message instanceof Message.Assistant assistant) {
        assistant.calls().forEach(call -> names.add(call.name()));
      }
    }
    return names;
  }

  private static ObjectNode tool(ToolDefinition tool) {
    ObjectNode out = Codec.object().put("name", tool.name());
    if (!tool.description().isEmpty()) {
      out.put("description", tool.description());
    }
    out.set("input_schema", tool.parameters().tree());
    if (tool.strict()) {
      out.put("strict", true);
    }
    return out;
  }
}
