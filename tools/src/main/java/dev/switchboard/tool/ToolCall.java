package dev.switchboard.tool;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.switchboard.check.JsonCut;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.UniqueId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A call that a model requests, without further members.
///
/// @param id unique in a conversation
/// @param name the tool's name, case-sensitive
/// @param arguments as the model wrote them, unchecked: possibly not an object, or not JSON
public record ToolCall(
    String id, String name, @JsonFormat(shape = JsonFormat.Shape.STRING) Json arguments) {
  private static final Json NOTHING = Json.text("");
  private static final List<String> MEMBERS = List.of("id", "name", "arguments");

  public ToolCall {
    // Some models send this for no arguments.
    if (arguments.text().equals("\"\"")) {
      arguments = NOTHING;
    }
  }

  /// A call with a generated id.
  public static ToolCall of(String name, String arguments) {
    return of(name, Json.text(arguments));
  }

  /// A call with a generated id.
  public static ToolCall of(String name, Json arguments) {
    return new ToolCall(newId(), name, arguments);
  }

  /// A call with that id.
  public static ToolCall of(String id, String name, String arguments) {
    return new ToolCall(id, name, Json.text(arguments));
  }

  /// Reads a call, `{id, name, arguments}` and nothing else. Its arguments are not read.
  ///
  /// @throws IllegalArgumentException when it is not such an object, with a clause that says why
  public static ToolCall read(Json json) {
    JsonCut cut = JsonCut.object(json.text());
    if (!json.isObject()) {
      throw new IllegalArgumentException("a tool call must be a JSON object");
    }
    if (!cut.whole()) {
      throw new IllegalArgumentException("the call " + fault(json));
    }
    Map<String, Json> members = new HashMap<>();
    for (int i = 0; i < cut.names().size(); i++) {
      String name = cut.names().get(i);
      if (!MEMBERS.contains(name)) {
        throw new IllegalArgumentException("a tool call has no member '" + name + "'");
      }
      if (members.put(name, Json.text(cut.values().get(i))) != null) {
        throw new IllegalArgumentException("its member '" + name + "' is there twice");
      }
    }
    String id = word(members, "id");
    String name = word(members, "name");
    Json arguments = members.get("arguments");
    if (arguments == null) {
      throw new IllegalArgumentException("a tool call needs 'arguments', a JSON object");
    }
    return new ToolCall(id, name, arguments);
  }

  private static String fault(Json json) {
    try {
      json.check();
      return "is not JSON";
    } catch (JsonException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String word(Map<String, Json> members, String name) {
    try {
      String word = members.getOrDefault(name, NOTHING).tree().stringValue("");
      if (!word.isEmpty()) {
        return word;
      }
    } catch (JsonException e) {
      // Not JSON, so not a string.
    }
    throw new IllegalArgumentException("a tool call needs '" + name + "', a non-empty string");
  }

  /// A call id, unique in this process.
  public static String newId() {
    return UniqueId.next("call");
  }

  /// Whether the other call has the same name and arguments, by value, in any member order.
  public boolean asksTheSameAs(ToolCall other) {
    return name.equals(other.name)
        && (arguments.equals(other.arguments)
            || arguments.digest().equals(other.arguments.digest()));
  }

  /// The call as on the wire; arguments that are not JSON or too deep are a string.
  public Json json() {
    ObjectNode out = Codec.object();
    out.put("id", id);
    out.put("name", name);
    JsonNode tree = arguments.nestsTooDeep() ? null : tree(arguments);
    if (tree == null) {
      out.put("arguments", arguments.text());
    } else {
      out.set("arguments", tree);
    }
    return Json.of(out);
  }

  private static @Nullable JsonNode tree(Json json) {
    try {
      return json.tree();
    } catch (JsonException e) {
      return null;
    }
  }
}
