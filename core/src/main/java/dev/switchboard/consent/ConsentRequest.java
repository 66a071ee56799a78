package dev.switchboard.consent;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A call that waits for a person's consent: a value that can be stored and answered from anywhere.
///
/// @param conversation its id
/// @param call with valid arguments, allowed by the rules
/// @param mode of its tool
/// @param demands why consent is needed; at least one
/// @param expiresAt when the request expires
public record ConsentRequest(
    String conversation, ToolCall call, ToolMode mode, List<Demand> demands, Instant expiresAt) {
  public ConsentRequest {
    demands = List.copyOf(demands);
  }

  /// Its id: the call's, unique in its conversation.
  public String id() {
    return call.id();
  }

  /// Why consent is needed, a sentence.
  public String reason() {
    return demands.getFirst().reason();
  }

  /// The label of the rule that asks, such as `payments`, or null.
  public @Nullable String scope() {
    return demands.stream().map(Demand::scope).filter(s -> s != null).findFirst().orElse(null);
  }

  /// The request in events: `id`, `call`, `mode`, `reason`, `scope` if there is one, `expiresAt`.
  public Json json() {
    ObjectNode out = Codec.object();
    out.put("id", id());
    out.set("call", call.json().tree());
    out.put("mode", mode.word());
    out.put("reason", reason());
    if (scope() != null) {
      out.put("scope", scope());
    }
    out.put("expiresAt", expiresAt.toString());
    return Json.of(out);
  }

  /// A reason why a call needs consent, and the scope of a lasting grant.
  ///
  /// @param reason a sentence
  /// @param scope the label of the rule that asks, null for none
  /// @param bound the arguments and values that a grant is limited to, without missing ones
  /// @param rule a digest of the rule that asks, so that a changed rule asks again; empty if a
  ///   lasting grant is not possible
  public record Demand(String reason, @Nullable String scope, Json bound, String rule) {}
}
