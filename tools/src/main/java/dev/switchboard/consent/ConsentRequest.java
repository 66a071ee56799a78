package dev.switchboard.consent;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
/// @param begun how the call may have begun before, since a process died; null if it has not
public record ConsentRequest(
    String conversation,
    ToolCall call,
    ToolMode mode,
    List<Demand> demands,
    Instant expiresAt,
    @Nullable Begun begun) {
  public ConsentRequest {
    demands = List.copyOf(demands);
  }

  /// A request for a call that has not begun.
  public ConsentRequest(
      String conversation, ToolCall call, ToolMode mode, List<Demand> demands, Instant expiresAt) {
    this(conversation, call, mode, demands, expiresAt, null);
  }

  /// The earlier beginning of a call whose process died: its outcome is unknown.
  ///
  /// @param at when it began; null if that is unknown
  /// @param notDone whether the tool's probe has found that it was not done
  public record Begun(@Nullable Instant at, boolean notDone) {
    /// What a person who decides, and the model after a denial, has to know.
    public String sentence() {
      return "It may have been done already: it began%s, its process died, and its outcome is unknown%s."
          .formatted(
              at == null ? "" : " at " + at.truncatedTo(ChronoUnit.SECONDS),
              notDone ? "; the tool's probe says that it was not done" : "");
    }
  }

  /// This request, for a call that may have begun before.
  public ConsentRequest with(@Nullable Begun before) {
    return new ConsentRequest(conversation, call, mode, demands, expiresAt, before);
  }

  /// Its id: the call's, unique in its conversation.
  public String id() {
    return call.id();
  }

  /// Its id, unique among those of all conversations.
  public String qualifiedId() {
    return qualifiedId(conversation, id());
  }

  /// The id of a conversation's request, unique among those of all conversations: a colon is
  /// between both, and in the second one, where hosts and clients choose it, percent-encoded.
  public static String qualifiedId(String conversation, String request) {
    return conversation + ":" + request.replace("%", "%25").replace(":", "%3A");
  }

  /// The conversation in a [qualified id][#qualifiedId], null if there is none.
  public static @Nullable String conversationOf(String qualifiedId) {
    int colon = qualifiedId.lastIndexOf(':');
    return colon < 1 ? null : qualifiedId.substring(0, colon);
  }

  /// The request's own id in a [qualified id][#qualifiedId].
  public static String requestOf(String qualifiedId) {
    String request = qualifiedId.substring(qualifiedId.lastIndexOf(':') + 1);
    return request.replace("%3A", ":").replace("%25", "%");
  }

  /// Why consent is needed, a sentence; another one if the call may have begun before.
  public String reason() {
    String reason = demands.getFirst().reason();
    return begun == null ? reason : reason + " " + begun.sentence();
  }

  /// The label of the rule that asks, such as `payments`, or null.
  public @Nullable String scope() {
    return demands.stream().map(Demand::scope).filter(s -> s != null).findFirst().orElse(null);
  }

  /// The request in events: `id`, `call`, `mode`, `reason`, `scope` if there is one, `expiresAt`,
  /// and `begun` if the call may have begun before.
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
    if (begun != null) {
      ObjectNode before = out.putObject("begun");
      if (begun.at != null) {
        before.put("at", begun.at.toString());
      }
      before.put("outcome", begun.notDone ? "not_done" : "unknown");
    }
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
