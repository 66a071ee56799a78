package dev.switchboard.consent;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/// A person's lasting consent to calls of a tool.
///
/// @param bound the arguments and their values that it holds for; the empty object for every call
/// @param until when it ends
public record Grant(String tool, Json bound, Instant until) {
  boolean covers(String called, Demand demand, Instant now) {
    return tool.equals(called)
        && now.isBefore(until)
        && bound.digest().equals(demand.bound().digest());
  }

  /// The grant as it is stored.
  public Json json() {
    return Json.of(
        Codec.object().put("tool", tool).put("until", until.toString()).set("bound", bound.tree()));
  }

  /// The grant that was stored so.
  public static Grant read(JsonNode stored) {
    return new Grant(
        stored.path("tool").stringValue(),
        Json.of(stored.path("bound")),
        Instant.parse(stored.path("until").stringValue()));
  }
}
