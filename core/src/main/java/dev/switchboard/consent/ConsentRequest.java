package dev.switchboard.consent;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A call that waits for a person: a value that can be stored and answered from anywhere.
///
/// @param conversation the id of the conversation it belongs to
/// @param call its arguments are valid, and the rules allow it
/// @param mode of its tool
/// @param demands why a person has to be asked; at least one
/// @param expiresAt when the request closes by itself
public record ConsentRequest(
    String conversation, ToolCall call, ToolMode mode, List<Demand> demands, Instant expiresAt) {
  public ConsentRequest {
    demands = List.copyOf(demands);
  }

  /// Its id: the call's, unique in its conversation.
  public String id() {
    return call.id();
  }

  /// Why a person has to be asked, a sentence.
  public String reason() {
    return demands.getFirst().reason();
  }

  /// The label of the rule that asks, such as `payments`, or null.
  public @Nullable String scope() {
    return demands.stream().map(Demand::scope).filter(s -> s != null).findFirst().orElse(null);
  }

  /// The request as the event stream shows it: `id`, `call`, `mode`, `reason`, `scope` where there
  /// is one, `expiresAt`.
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

  /// One reason why a person has to agree to a call, and what a lasting grant would hold for.
  ///
  /// @param reason a sentence
  /// @param scope the label of the rule that asks, null for none
  /// @param bound the arguments and their values that a grant holds for; without those that are
  ///   missing
  /// @param rule a digest of the rule that asks, so that a changed rule is another one; empty if a
  ///   lasting grant is not possible
  public record Demand(String reason, @Nullable String scope, Json bound, String rule) {}
}
