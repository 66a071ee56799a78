package dev.switchboard.loop;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A limit of the budget that a request would exceed.
///
/// @param scope `turn`, `conversation` or `day`
/// @param limit as `{"tokens": 1000}` or `{"cost": 1.5}`
/// @param spent so far, in the same form
public record Exhausted(String scope, Json limit, Json spent) {
  /// The one of such arguments.
  public static Exhausted of(Json arguments) {
    JsonNode json = arguments.tree();
    return new Exhausted(
        json.path("scope").asString(""), Json.of(json.path("limit")), Json.of(json.path("spent")));
  }

  /// As the arguments of a call that asks to go on.
  public Json arguments() {
    ObjectNode json = Codec.object();
    members().forEach((name, value) -> json.set(name, value.tree()));
    return Json.of(json);
  }

  /// Its members, by name.
  Map<String, Json> members() {
    SequencedMap<String, Json> members = new LinkedHashMap<>();
    members.put("scope", Json.of(scope));
    members.put("limit", limit);
    members.put("spent", spent);
    return members;
  }
}
