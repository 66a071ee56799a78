package dev.switchboard.consent;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One reason why a person has to agree to a call, and what a lasting grant would hold for.
///
/// @param reason a sentence
/// @param scope the label of the rule that asks, null for none
/// @param bound the arguments and their values that a grant holds for; without those that are
///   missing
/// @param rule a digest of the rule that asks, so that a changed rule is another one; empty where a
///   lasting grant is not possible
public record Demand(String reason, @Nullable String scope, Json bound, String rule) {
  Json json() {
    ObjectNode out = Codec.object().put("reason", reason);
    if (scope != null) {
      out.put("scope", scope);
    }
    out.set("bound", bound.tree());
    out.put("rule", rule);
    return Json.of(out);
  }

  static Demand read(JsonNode stored) {
    JsonNode scope = stored.get("scope");
    return new Demand(
        stored.path("reason").stringValue(),
        scope == null ? null : scope.stringValue(),
        Json.of(stored.path("bound")),
        stored.path("rule").asString(""));
  }
}
