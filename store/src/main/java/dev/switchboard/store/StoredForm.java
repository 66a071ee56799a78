package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.json.Records;
import dev.switchboard.json.Records.UnreadableException;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.ConversationState;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The JSON in which a store keeps a record, with the version of its format.
///
/// @param what the name of the record, for messages
/// @param version that is written
/// @param older converts an older format to this version
record StoredForm<T>(String what, Class<T> type, int version, UnaryOperator<ObjectNode> older) {
  static final StoredForm<ConversationState> CONVERSATION =
      new StoredForm<>(
          "the state of a conversation", ConversationState.class, 3, StoredForm::olderConversation);

  /// The state that is written for a conversation that has begun and has none so far.
  static final String NEW = CONVERSATION.write(ConversationState.NEW);

  static final StoredForm<AgentState> AGENT =
      new StoredForm<>("the state of the agent", AgentState.class, 2, StoredForm::olderAgent);

  /// A line of a conversation.
  static final StoredForm<SettledCall> SETTLED =
      new StoredForm<>("a result", SettledCall.class, 2, StoredForm::olderSettled);

  String write(T value) {
    return Records.write(version, value).text();
  }

  /// @throws UnreadableException when it was written by a newer version, or is damaged
  T read(String text) {
    Json json = Json.text(text);
    int found = version(json);
    return found < 1 || found >= version
        ? Records.read(json, version, type)
        : Records.guarded(
            json, found, tree -> Records.read(older.apply((ObjectNode) tree.deepCopy()), type));
  }

  private static int version(Json json) {
    try {
      return json.tree().path("v").asInt(0);
    } catch (JsonException e) {
      return 0;
    }
  }

  private static ObjectNode olderConversation(ObjectNode in) {
    ObjectNode state = in.path("v").intValue() == 1 ? ofTwoTables(in) : in;
    state.set("loop", state.path("loop").isEmpty() ? newLoop() : state.get("loop"));
    ObjectNode lease = Codec.object().put("fence", state.path("fence").asLong(0));
    state.set("lease", state.has("until") ? lease.set("until", state.get("until")) : lease);
    state.set("rules", rules(state.path("rules")));
    for (JsonNode waiting : state.path("waiting")) {
      ObjectNode request = (ObjectNode) waiting.path("request");
      request.set("call", call(request));
      request.path("demands").forEach(StoredForm::ofNoRule);
    }
    return state;
  }

  /// Converts what was stored of the calls and of the loop in separate tables.
  private static ObjectNode ofTwoTables(ObjectNode in) {
    ObjectNode out = (ObjectNode) in.path("calls");
    out.set("loop", in.path("loop"));
    return out.put(
        "turn", Math.max(out.path("turn").asInt(0), in.path("loop").path("turn").asInt(0)));
  }

  private static ObjectNode newLoop() {
    return Codec.object().put("turn", 0).put("round", 0);
  }

  private static ObjectNode rules(JsonNode in) {
    ObjectNode out = Codec.object();
    out.set("turn", tallies(in.path("turn")));
    out.set("conversation", tallies(in.path("conversation")));
    out.put("startRefusals", in.path("startRefusals").asInt(0));
    out.put("reminders", in.path("reminders").asInt(0));
    if (in.path("exitHeld").asBoolean(false)) {
      ObjectNode held = out.putObject("held");
      held.put("reason", in.path("heldReason").asString("tool_rule"));
      if (in.has("heldMessage")) {
        held.set("message", in.get("heldMessage"));
      }
    }
    return out;
  }

  private static ObjectNode tallies(JsonNode byTool) {
    ObjectNode out = Codec.object();
    out.set("byTool", byTool.isObject() ? byTool : Codec.object());
    return out;
  }

  private static ObjectNode call(ObjectNode in) {
    ObjectNode out = Codec.object();
    out.set("id", in.get("id"));
    out.set("name", in.get("tool"));
    out.set("arguments", in.get("arguments"));
    return out;
  }

  /// Consents from before they named the rule that asks cover nothing.
  private static void ofNoRule(JsonNode in) {
    if (!in.has("rule")) {
      ((ObjectNode) in).put("rule", "");
    }
  }

  private static ObjectNode olderAgent(ObjectNode in) {
    in.set("uses", tallies(in.path("uses").path("tools")));
    in.path("grants").forEach(StoredForm::ofNoRule);
    ObjectNode grants = Codec.object();
    grants.set("all", in.path("grants"));
    in.set("grants", grants);
    return in;
  }

  private static ObjectNode olderSettled(ObjectNode in) {
    ObjectNode out = Codec.object();
    out.set("call", call(in));
    out.set("result", in.path("result"));
    return out;
  }
}
