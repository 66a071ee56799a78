package dev.switchboard.restate;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records.UnreadableException;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.text.PrincipalName;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A request to the object of a conversation: an input, with the member `principal`.
///
/// @param principal whose input it is; without the member [PrincipalName#LOCAL]
record Request(String principal, Input input) {
  private static final String PRINCIPAL = "principal";

  /// A request to cancel the turn, of that principal.
  static String cancel(String principal) {
    return Json.of(Codec.object().put(PRINCIPAL, principal)).text();
  }

  /// Its text.
  String text() {
    ObjectNode json = ((ObjectNode) InputJson.write(input).tree()).deepCopy();
    return Json.of(json.put(PRINCIPAL, principal)).text();
  }

  /// @throws UnreadableException with the rest of a sentence
  static Request read(String text) {
    Json json = Json.text(text);
    String principal = principal(text);
    if (json.isObject() && json.tree().has(PRINCIPAL)) {
      ObjectNode input = ((ObjectNode) json.tree()).deepCopy();
      JsonNode unused = input.remove(PRINCIPAL);
      json = Json.of(input);
    }
    return new Request(principal, InputJson.read(json));
  }

  /// The principal of a request; [PrincipalName#LOCAL] if it names none.
  ///
  /// @throws IllegalArgumentException when no principal can have that name
  static String principal(String text) {
    Json json = Json.text(text);
    return json.isObject() && json.tree().has(PRINCIPAL)
        ? PrincipalName.checked(json.tree().path(PRINCIPAL).stringValue(""))
        : PrincipalName.LOCAL;
  }
}
