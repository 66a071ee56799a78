package dev.switchboard.mcp.client;

import dev.switchboard.check.Checked;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.text.InvisibleCharacters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Asks the person of a call a server's question: a sentence and a form of single values. The
/// person accepts the proposed values, or changes them.
final class Elicitation {
  private static final int LONGEST_MESSAGE = 1_000;
  private static final int MOST_FIELDS = 50;
  private static final int TRIES = 3;

  private final String server;

  /// @param server its name for the person
  Elicitation(String server) {
    this.server = server;
  }

  /// The result of `elicitation/create`.
  ///
  /// @param call whose person is asked, null if unknown
  JsonNode answer(JsonNode params, @Nullable ToolContext call) throws RpcException {
    if (!params.path("mode").asString("form").equals("form")) {
      throw new RpcException(RpcError.INVALID_PARAMS, "This client shows forms only.");
    }
    JsonNode schema = params.path("requestedSchema");
    boolean object = schema.isObject() && schema.path("type").asString("object").equals("object");
    if (!object || schema.path("properties").size() > MOST_FIELDS) {
      throw new RpcException(RpcError.INVALID_PARAMS, "requestedSchema is not a form.");
    }
    ParameterSchema form = ParameterSchema.foreign("form", Json.of(schema));
    if (call == null) {
      return action("cancel");
    }
    Json proposed = Json.of(defaults(schema));
    String question = question(params.path("message").asString(""), schema);
    String more = "";
    for (int i = 0; i < TRIES; i++) {
      ToolContext.Consent.Reply reply = call.consent().ask(question + more, proposed);
      if (!reply.agreed() || reply.data() == null) {
        return action("decline");
      }
      proposed = reply.data();
      List<Fault> faults = faults(form, proposed);
      if (faults.isEmpty()) {
        ObjectNode accepted = action("accept");
        accepted.set("content", proposed.tree());
        return accepted;
      }
      more = " That was not valid: " + sentence(faults) + ".";
    }
    return action("cancel");
  }

  private static List<Fault> faults(ParameterSchema form, Json data) {
    return switch (form.check(data)) {
      case Checked.Accepted accepted -> List.of();
      case Checked.Refused refused -> refused.faults();
    };
  }

  private static String sentence(List<Fault> faults) {
    return faults.stream()
        .limit(MOST_FIELDS)
        .map(fault -> fault.pointer() + " must be " + fault.expected())
        .collect(Collectors.joining("; "));
  }

  private static ObjectNode defaults(JsonNode schema) {
    ObjectNode proposed = Codec.object();
    schema
        .path("properties")
        .properties()
        .forEach(field -> {
          if (field.getValue().has("default")) {
            proposed.set(field.getKey(), field.getValue().get("default"));
          }
        });
    return proposed;
  }

  private String question(String message, JsonNode schema) {
    List<String> fields = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
      String title = field.getValue().path("title").asString("");
      String about = field.getValue().path("description").asString(title);
      fields.add(field.getKey() + (about.isEmpty() ? "" : " (" + about + ")"));
    }
    String asked = "The MCP server '" + server + "' asks: " + message;
    String all = fields.isEmpty() ? asked : asked + " It wants: " + String.join(", ", fields) + ".";
    return InvisibleCharacters.shown(all.substring(0, Math.min(all.length(), LONGEST_MESSAGE)));
  }

  private static ObjectNode action(String action) {
    return Codec.object().put("action", action);
  }
}
