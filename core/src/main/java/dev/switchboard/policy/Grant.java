package dev.switchboard.policy;

import dev.switchboard.consent.Demand;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A person's lasting consent to calls of a tool that one rule asks about.
///
/// @param bound the arguments and their values that it holds for, as the demand had them
/// @param until when it ends
/// @param rule the digest of the rule that asked, as the demand had it; empty where that is not
///   known, and the grant holds for nothing
/// @param conversation in which it was given, with which it is deleted; null where that is not
///   known
public record Grant(
    String tool, Json bound, Instant until, String rule, @Nullable String conversation) {
  boolean covers(String called, Demand demand, Instant now) {
    return !rule.isEmpty()
        && rule.equals(demand.rule())
        && tool.equals(called)
        && now.isBefore(until)
        && bound.digest().equals(demand.bound().digest());
  }

  /// The grant as it is stored.
  public Json json() {
    ObjectNode out = Codec.object().put("tool", tool).put("until", until.toString());
    out.set("bound", bound.tree());
    out.put("rule", rule);
    return Json.of(conversation == null ? out : out.put("conversation", conversation));
  }

  /// The grant that was stored as this JSON.
  public static Grant read(JsonNode stored) {
    return new Grant(
        stored.path("tool").stringValue(),
        Json.of(stored.path("bound")),
        Instant.parse(stored.path("until").stringValue()),
        stored.path("rule").asString(""),
        stored.path("conversation").asString(null));
  }
}
