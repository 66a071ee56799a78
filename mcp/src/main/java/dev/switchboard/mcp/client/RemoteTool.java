package dev.switchboard.mcp.client;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.rpc.ParameterHeaders;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A tool, as its server describes it.
///
/// @param name the server's, which calls use
/// @param title its name for people, empty for none
/// @param parameters their schema
/// @param output the schema of its results, null for none
/// @param annotations the server's statements about its effects, an object or missing
/// @param headers the arguments that are repeated in HTTP headers: JSON pointers by header
record RemoteTool(
    String name,
    String title,
    String description,
    Json parameters,
    @Nullable Json output,
    JsonNode annotations,
    Map<String, String> headers,
    String digest) {
  private static final Json NO_PARAMETERS = Json.text("{\"type\":\"object\",\"properties\":{}}");
  private static final int LONGEST_NAME = 128;

  /// A description that cannot be used, with the reason as a clause.
  static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String reason) {
      super(reason);
    }
  }

  /// The tool of that description.
  static RemoteTool read(JsonNode tool) throws UnusableException {
    String name = tool.path("name").isString() ? tool.path("name").stringValue() : "";
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new UnusableException("its name is missing or longer than 128 characters");
    }
    if (tool.path("execution").path("taskSupport").asString("").equals("required")) {
      throw new UnusableException("it runs as a task only, which is not supported");
    }
    JsonNode schema = tool.path("inputSchema");
    Map<String, String> headers;
    try {
      headers = ParameterHeaders.of(schema);
    } catch (ParameterHeaders.UnusableException e) {
      throw new UnusableException(String.valueOf(e.getMessage()));
    }
    JsonNode output = tool.path("outputSchema");
    String title = tool.path("title").asString(tool.path("annotations").path("title").asString(""));
    return new RemoteTool(
        name,
        title,
        tool.path("description").asString(title),
        schema.isMissingNode() || schema.isNull() ? NO_PARAMETERS : Json.of(schema),
        output.isObject() ? Json.of(output) : null,
        tool.path("annotations"),
        headers,
        digest(tool));
  }

  /// A digest of the parts that a model and a person rely on.
  private static String digest(JsonNode tool) {
    var kept = Codec.object();
    for (String member :
        List.of("name", "title", "description", "inputSchema", "outputSchema", "annotations")) {
      if (tool.has(member)) {
        kept.set(member, tool.get(member));
      }
    }
    return Json.of(kept).digest();
  }
}
