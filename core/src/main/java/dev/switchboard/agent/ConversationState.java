package dev.switchboard.agent;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelException;
import dev.switchboard.rule.StopReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Where the loop stands in a conversation: a small value, to be stored and restored. What was said
/// and done stands in the transcript, what rules and consent remember at the door.
///
/// @param turn the number of the latest turn, from 1; 0 before the first
/// @param round the number of the turn's latest round, from 1
/// @param waiting whether the turn waits for a person's consent
/// @param inputs the ids of the latest inputs, at most [#INPUTS]
/// @param last how the latest turn ended, null before and while it waits
public record ConversationState(
    int turn, int round, boolean waiting, List<String> inputs, @Nullable Last last) {
  /// How many inputs are remembered, so that one delivered twice counts once.
  public static final int INPUTS = 100;

  /// Of a conversation that begins.
  public static final ConversationState NEW = new ConversationState(0, 0, false, List.of(), null);

  private static final int VERSION = 1;

  public ConversationState {
    inputs = List.copyOf(inputs);
  }

  /// How a turn ended.
  ///
  /// @param unmet the tools that were required before the end and have not succeeded
  /// @param cause what kept the model from replying, null where that is not the reason
  public record Last(
      StopReason reason, String text, List<String> unmet, ModelException.@Nullable Kind cause) {
    public Last {
      unmet = List.copyOf(unmet);
    }
  }

  boolean knows(Input input) {
    return inputs.contains(input.id());
  }

  ConversationState took(Input input) {
    List<String> ids = new ArrayList<>(inputs);
    ids.add(input.id());
    List<String> latest = ids.subList(Math.max(0, ids.size() - INPUTS), ids.size());
    return new ConversationState(turn, round, waiting, latest, last);
  }

  ConversationState nextTurn() {
    return new ConversationState(turn + 1, 0, false, inputs, null);
  }

  ConversationState inRound(int number) {
    return new ConversationState(turn, number, false, inputs, null);
  }

  ConversationState pending() {
    return new ConversationState(turn, round, true, inputs, null);
  }

  ConversationState closed(Entry.Closed end) {
    Last how = new Last(end.reason(), end.text(), end.unmet(), end.cause());
    return new ConversationState(turn, round, false, inputs, how);
  }

  /// The state as JSON that names its version.
  public Json json() {
    ObjectNode out = Codec.object().put("v", VERSION).put("turn", turn).put("round", round);
    if (waiting) {
      out.put("waiting", true);
    }
    inputs.forEach(id -> out.withArray("inputs").add(id));
    if (last != null) {
      ObjectNode end = out.putObject("last");
      end.put("reason", last.reason.word()).put("text", last.text);
      last.unmet.forEach(tool -> end.withArray("unmet").add(tool));
      EntryJson.cause(end, last.cause);
    }
    return Json.of(out);
  }

  /// The state that was written so; [#NEW] of an empty object.
  ///
  /// @throws IllegalArgumentException when it is none, the rest of a sentence
  public static ConversationState read(Json json) {
    return json.equals(Json.EMPTY_OBJECT)
        ? NEW
        : UnreadableException.guarded(json, VERSION, ConversationState::of);
  }

  private static ConversationState of(JsonNode in) {
    JsonNode last = in.path("last");
    return new ConversationState(
        in.path("turn").asInt(),
        in.path("round").asInt(),
        in.path("waiting").asBoolean(false),
        EntryJson.texts(in, "inputs"),
        last.isObject()
            ? new Last(
                EntryJson.reason(last, "reason"),
                last.path("text").asString(""),
                EntryJson.texts(last, "unmet"),
                EntryJson.cause(last))
            : null);
  }
}
