package dev.switchboard.tool;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a model asks to have run (seed 002): closed, so no other member is taken.
///
/// @param id unique in a conversation
/// @param name the tool's name, in its exact letter case
/// @param arguments as the model wrote them, unchecked: they may be no object, or no JSON at all
public record ToolCall(String id, String name, Json arguments) {
  private static final Set<String> MEMBERS = Set.of("id", "name", "arguments");
  private static final Json NOTHING = Json.text("");

  public ToolCall {
    // What models send that have nothing to say.
    if (arguments.text().equals("\"\"")) {
      arguments = NOTHING;
    }
  }

  /// A call with an id of ours.
  public static ToolCall of(String name, String arguments) {
    return of(name, Json.text(arguments));
  }

  /// A call with an id of ours.
  public static ToolCall of(String name, Json arguments) {
    return new ToolCall(newId(), name, arguments);
  }

  /// A call of that id.
  public static ToolCall of(String id, String name, String arguments) {
    return new ToolCall(id, name, Json.text(arguments));
  }

  /// The call written in that object.
  ///
  /// @throws JsonException when it is no object, has another member, or lacks one of the right
  ///   type; the message is one sentence that names the member
  public static ToolCall parse(Json json) {
    JsonNode tree = json.tree();
    if (!tree.isObject()) {
      throw new JsonException("a tool call must be a JSON object", null);
    }
    for (String member : tree.propertyNames()) {
      if (!MEMBERS.contains(member)) {
        throw new JsonException("a tool call has no member '" + member + "'", null);
      }
    }
    JsonNode arguments = tree.get("arguments");
    if (arguments == null) {
      throw new JsonException("a tool call needs 'arguments', a JSON object", null);
    }
    return new ToolCall(word(tree, "id"), word(tree, "name"), Json.of(arguments));
  }

  private static String word(JsonNode tree, String member) {
    JsonNode value = tree.get(member);
    if (value == null || !value.isString() || value.stringValue().isEmpty()) {
      throw new JsonException("a tool call needs '" + member + "', a non-empty string", null);
    }
    return value.stringValue();
  }

  /// A call id that no other call of this process has.
  public static String newId() {
    return CallIds.next("call");
  }

  /// Whether the other call asks for the same: name and arguments by value, member order aside.
  public boolean asksTheSameAs(ToolCall other) {
    return name.equals(other.name)
        && (arguments.equals(other.arguments)
            || arguments.digest().equals(other.arguments.digest()));
  }

  /// The call as on the wire; arguments that are no JSON appear as a string.
  public Json json() {
    ObjectNode out = Codec.object();
    out.put("id", id);
    out.put("name", name);
    try {
      out.set("arguments", arguments.tree());
    } catch (JsonException e) {
      out.put("arguments", arguments.text());
    }
    return Json.of(out);
  }
}
