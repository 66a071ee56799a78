package dev.switchboard.execution;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.UnreadableException;
import dev.switchboard.model.ModelException;
import dev.switchboard.rule.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Where the loop stands in a conversation: a small value, to be stored and restored. What was said
/// and done stands in the transcript, what rules and consent remember beside it in the
/// [ConversationState].
///
/// @param turn the number of its latest turn, from 1; 0 before the first
/// @param round the number of the turn's latest round, from 1
/// @param waiting whether the turn waits for a person's consent
/// @param inputs the ids of the latest inputs, at most [#INPUTS]
/// @param last how the latest turn ended, null before and while it waits
public record LoopState(
    int turn, int round, boolean waiting, List<String> inputs, @Nullable Last last) {
  /// How many inputs are remembered, so that one delivered twice counts once.
  public static final int INPUTS = 100;

  /// Of a conversation that begins.
  public static final LoopState NEW = new LoopState(0, 0, false, List.of(), null);

  private static final int VERSION = 1;

  public LoopState {
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

  /// Whether an input of that id was taken before.
  public boolean knows(String input) {
    return inputs.contains(input);
  }

  /// The state after an input of that id.
  public LoopState took(String input) {
    List<String> ids = new ArrayList<>(inputs);
    ids.add(input);
    List<String> latest = ids.subList(Math.max(0, ids.size() - INPUTS), ids.size());
    return new LoopState(turn, round, waiting, latest, last);
  }

  /// The same state, whose next turn has the number after that one.
  public LoopState after(int number) {
    return number == turn ? this : new LoopState(number, round, waiting, inputs, last);
  }

  /// The state in the next turn.
  public LoopState nextTurn() {
    return new LoopState(turn + 1, 0, false, inputs, null);
  }

  /// The state in that round of the turn.
  public LoopState inRound(int number) {
    return new LoopState(turn, number, false, inputs, null);
  }

  /// The state of a turn that waits for a person.
  public LoopState pending() {
    return new LoopState(turn, round, true, inputs, null);
  }

  /// The state of a turn that has ended so.
  public LoopState closed(Last how) {
    return new LoopState(turn, round, false, inputs, how);
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
      if (last.cause != null) {
        end.put("cause", last.cause.word());
      }
    }
    return Json.of(out);
  }

  /// The state that was written so; [#NEW] of an empty object.
  ///
  /// @throws UnreadableException when it is none
  public static LoopState read(Json json) {
    return json.equals(Json.EMPTY_OBJECT)
        ? NEW
        : UnreadableException.guarded(json, VERSION, LoopState::of);
  }

  private static LoopState of(JsonNode in) {
    return new LoopState(
        in.path("turn").asInt(),
        in.path("round").asInt(),
        in.path("waiting").asBoolean(false),
        texts(in, "inputs"),
        in.path("last").isObject() ? last(in.path("last")) : null);
  }

  private static Last last(JsonNode in) {
    String cause = in.path("cause").asString("");
    return new Last(
        StopReason.valueOf(in.path("reason").asString("").toUpperCase(Locale.ROOT)),
        in.path("text").asString(""),
        texts(in, "unmet"),
        cause.isEmpty() ? null : ModelException.Kind.valueOf(cause.toUpperCase(Locale.ROOT)));
  }

  private static List<String> texts(JsonNode in, String name) {
    return in.path(name).valueStream().map(JsonNode::asString).toList();
  }
}
