package dev.switchboard.tool;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import tools.jackson.databind.node.ObjectNode;

/// What a model asks to have run (seed 002): closed, so no other member is taken.
///
/// @param id unique in a conversation
/// @param name the tool's name, in its exact letter case
/// @param arguments as the model wrote them, unchecked: they may be no object, or no JSON at all
public record ToolCall(String id, String name, Json arguments) {
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
