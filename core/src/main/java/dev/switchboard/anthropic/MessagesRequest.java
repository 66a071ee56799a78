package dev.switchboard.anthropic;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.tool.ToolDefinition;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The body of a request for a message.
record MessagesRequest(String model, ModelOptions options, boolean streamed) {
  // The API asks for a limit.
  private static final int USUAL_TOKENS = 4096;

  Json of(ModelRequest request) {
    Integer limit = options.maxTokens();
    ObjectNode out =
        Codec.object().put("model", model).put("max_tokens", limit == null ? USUAL_TOKENS : limit);
    String system = system(request.messages());
    if (!system.isBlank()) {
      out.put("system", system);
    }
    Turns turns = new Turns();
    request.messages().forEach(turns::add);
    out.set("messages", turns.json());
    tools(request, out);
    if (options.temperature() != null) {
      out.put("temperature", options.temperature());
    }
    if (streamed) {
      out.put("stream", true);
    }
    return Json.of(out);
  }

  private static String system(List<Message> messages) {
    return messages.stream()
        .filter(Message.System.class::isInstance)
        .map(message -> ((Message.System) message).text())
        .collect(Collectors.joining("\n\n"));
  }

  /// A conversation with calls in it needs tools, also where none may be called any more.
  private static void tools(ModelRequest request, ObjectNode out) {
    Set<String> called = request.tools().isEmpty() ? called(request.messages()) : Set.of();
    if (request.tools().isEmpty() && called.isEmpty()) {
      return;
    }
    ArrayNode list = out.putArray("tools");
    request.tools().forEach(tool -> list.add(tool(tool)));
    called.forEach(name -> {
      ObjectNode tool = list.addObject().put("name", name);
      tool.putObject("input_schema").put("type", "object");
    });
    out.putObject("tool_choice").put("type", choice(request.choice()));
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

  private static String choice(ModelRequest.ToolChoice choice) {
    return switch (choice) {
      case AUTO -> "auto";
      case REQUIRED -> "any";
      case NONE -> "none";
    };
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
