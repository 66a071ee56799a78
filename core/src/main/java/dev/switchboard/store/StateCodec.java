package dev.switchboard.store;

import dev.switchboard.consent.ConsentAnswer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.AgentState;
import dev.switchboard.execution.ConversationState;
import dev.switchboard.execution.ConversationState.Lease;
import dev.switchboard.execution.ConversationState.Waiting;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.LoopState;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.json.UnreadableException;
import dev.switchboard.policy.Grant;
import dev.switchboard.policy.Grants;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.RuleCodec;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a store keeps to and from JSON that names its version.
final class StateCodec {
  private static final int VERSION = 2;
  private static final int AGENT_VERSION = 1;
  private static final int LINE_VERSION = 1;

  private StateCodec() {}

  static String write(ConversationState state) {
    ObjectNode out = Codec.object().put("v", VERSION).put("turn", state.turn());
    out.set("loop", state.loop().json().tree());
    out.put("fence", state.lease().fence());
    Instant until = state.lease().until();
    if (until != null) {
      out.put("until", until.toString());
    }
    out.set("rules", RuleCodec.write(state.rules()).tree());
    StopReason exit = state.exit();
    if (exit != null) {
      out.put("exit", exit.word());
    }
    state.waiting().forEach(waiting -> out.withArray("waiting").add(waiting(waiting)));
    state.running().forEach(id -> out.withArray("running").add(id));
    state.answers().forEach(answer -> out.withArray("answers").add(answer.json().tree()));
    return Json.of(out).text();
  }

  private static ObjectNode waiting(Waiting waiting) {
    ObjectNode out = Codec.object();
    out.set("request", waiting.request().stored().tree());
    Instant until = waiting.takenUntil();
    return until == null ? out : out.put("takenUntil", until.toString());
  }

  static String write(AgentState state) {
    ObjectNode out = Codec.object().put("v", AGENT_VERSION);
    out.set("uses", RuleCodec.write(state.uses()).tree());
    state.grants().all().forEach(grant -> out.withArray("grants").add(grant.json().tree()));
    return Json.of(out).text();
  }

  /// @throws UnreadableException when it is no such state
  static ConversationState conversation(String text) {
    Json json = Json.text(text);
    return isOfTwoTables(json)
        ? UnreadableException.guarded(json, 1, StateCodec::ofTwoTables)
        : UnreadableException.guarded(json, VERSION, StateCodec::conversation);
  }

  /// Whether it is what the migration has made of the two states that a conversation once had.
  private static boolean isOfTwoTables(Json json) {
    try {
      return json.tree().path("v").asInt(0) == 1;
    } catch (JsonException e) {
      return false;
    }
  }

  private static ConversationState ofTwoTables(JsonNode in) {
    ObjectNode out = (ObjectNode) in.path("calls").deepCopy();
    out.set("loop", in.path("loop"));
    out.put("turn", Math.max(out.path("turn").asInt(0), in.path("loop").path("turn").asInt(0)));
    if (!out.has("rules")) {
      out.set("rules", RuleCodec.write(RuleState.NEW).tree());
    }
    return conversation(out);
  }

  private static ConversationState conversation(JsonNode in) {
    return new ConversationState(
        in.path("turn").intValue(),
        LoopState.read(Json.of(in.path("loop"))),
        new Lease(in.path("fence").asLong(0), instant(in.get("until"))),
        RuleCodec.state(Json.of(in.path("rules"))),
        exit(in.get("exit")),
        in.path("waiting").valueStream().map(StateCodec::waiting).toList(),
        in.path("running").valueStream().map(JsonNode::stringValue).collect(Collectors.toSet()),
        in.path("answers").valueStream().map(ConsentAnswer::read).toList());
  }

  private static @Nullable Instant instant(@Nullable JsonNode text) {
    return text == null ? null : Instant.parse(text.stringValue());
  }

  private static @Nullable StopReason exit(@Nullable JsonNode word) {
    return word == null ? null : StopReason.valueOf(word.stringValue().toUpperCase(Locale.ROOT));
  }

  private static Waiting waiting(JsonNode in) {
    return new Waiting(ConsentRequest.read(in.path("request")), instant(in.get("takenUntil")));
  }

  /// @throws UnreadableException when it is no such state
  static AgentState agent(String text) {
    return UnreadableException.guarded(
        Json.text(text),
        AGENT_VERSION,
        in ->
            new AgentState(
                RuleCodec.tallies(Json.of(in.path("uses"))),
                new Grants(in.path("grants").valueStream().map(Grant::read).toList())));
  }

  /// A call and its result, as a line.
  static String write(SettledCall settled) {
    ToolCall call = settled.call();
    ObjectNode out = Codec.object().put("v", LINE_VERSION).put("type", "settled");
    out.put("id", call.id()).put("tool", call.name()).put("arguments", call.arguments().text());
    out.set("result", settled.result().json().tree());
    return Json.of(out).text();
  }

  /// @throws UnreadableException when it is no such line
  static SettledCall settled(String text) {
    return UnreadableException.guarded(
        Json.text(text),
        LINE_VERSION,
        in ->
            new SettledCall(
                ToolCall.of(
                    in.path("id").stringValue(),
                    in.path("tool").stringValue(),
                    in.path("arguments").stringValue()),
                ToolResult.read(Json.of(in.path("result")))));
  }
}
