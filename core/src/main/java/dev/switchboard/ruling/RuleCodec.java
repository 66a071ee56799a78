package dev.switchboard.ruling;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.StopReason;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// [RuleState] and [Tallies] to and from JSON that names its version, for stores.
public final class RuleCodec {
  private static final int VERSION = 1;

  private RuleCodec() {}

  /// The state as `{"v":1,"turn":{..},"conversation":{..},..}`, with the same text for the same
  /// state.
  public static Json write(RuleState state) {
    ObjectNode out = Codec.object().put("v", VERSION);
    out.set("turn", tools(state.turn()));
    out.set("conversation", tools(state.conversation()));
    out.put("startRefusals", state.startRefusals());
    out.put("reminders", state.reminders());
    RoundEnd.Exit held = state.held();
    out.put("exitHeld", held != null);
    if (held != null && held.reason() != StopReason.TOOL_RULE) {
      out.put("heldReason", held.reason().word());
    }
    if (held != null && held.message() != null) {
      out.put("heldMessage", held.message());
    }
    return Json.of(out);
  }

  /// The tallies as `{"v":1,"tools":{..}}`, with the same text for the same tallies.
  public static Json write(Tallies tallies) {
    ObjectNode out = Codec.object().put("v", VERSION);
    out.set("tools", tools(tallies));
    return Json.of(out);
  }

  private static ObjectNode tools(Tallies tallies) {
    ObjectNode out = Codec.object();
    new TreeMap<>(tallies.byTool()).forEach((tool, tally) -> out.set(tool, tally(tally)));
    return out;
  }

  private static ObjectNode tally(Tally tally) {
    ObjectNode out = Codec.object();
    out.put("started", tally.started());
    out.put("succeeded", tally.succeeded());
    out.put("failed", tally.failed());
    Instant last = tally.lastStart();
    return last == null ? out : out.put("lastStart", last.toString());
  }

  /// The state that was written as this JSON.
  ///
  /// @throws IllegalArgumentException when it was written by another version, or is not a state
  /// @throws dev.switchboard.json.JsonException when it is not JSON
  public static RuleState state(Json json) {
    JsonNode in = versioned(json);
    return new RuleState(
        tallies(in, "turn"),
        tallies(in, "conversation"),
        count(in, "startRefusals"),
        count(in, "reminders"),
        in.path("exitHeld").asBoolean(false) ? held(in) : null);
  }

  /// Without a reason a tool's, which is what earlier versions held back.
  private static RoundEnd.Exit held(JsonNode in) {
    String reason = in.path("heldReason").asString(StopReason.TOOL_RULE.word());
    JsonNode message = in.path("heldMessage");
    return new RoundEnd.Exit(
        StopReason.valueOf(reason.toUpperCase(Locale.ROOT)),
        message.isString() ? message.stringValue() : null);
  }

  /// The tallies that were written as this JSON.
  ///
  /// @throws IllegalArgumentException when they were written by another version, or are not tallies
  /// @throws dev.switchboard.json.JsonException when it is not JSON
  public static Tallies tallies(Json json) {
    return tallies(versioned(json), "tools");
  }

  private static JsonNode versioned(Json json) {
    JsonNode version = json.tree().path("v");
    if (!version.isIntegralNumber() || !version.asString().equals(String.valueOf(VERSION))) {
      throw new IllegalArgumentException(
          "stored rules are of version %s, and only version %d can be read"
              .formatted(version.isMissingNode() ? "unknown" : version, VERSION));
    }
    return json.tree();
  }

  private static Tallies tallies(JsonNode in, String name) {
    if (!in.path(name).isObject()) {
      throw fault(name, in.get(name));
    }
    Map<String, Tally> byTool = new HashMap<>();
    in.path(name).forEachEntry((tool, tally) -> byTool.put(tool, tally(tally)));
    return new Tallies(byTool);
  }

  private static Tally tally(JsonNode in) {
    return new Tally(
        count(in, "started"), count(in, "succeeded"), count(in, "failed"), lastStart(in));
  }

  private static int count(JsonNode in, String name) {
    JsonNode value = in.path(name);
    if (!value.canConvertToInt() || value.intValue() < 0) {
      throw fault(name, in.get(name));
    }
    return value.intValue();
  }

  private static @Nullable Instant lastStart(JsonNode in) {
    if (!in.has("lastStart")) {
      return null;
    }
    try {
      return Instant.parse(in.path("lastStart").asString(""));
    } catch (DateTimeParseException e) {
      throw fault("lastStart", in.get("lastStart"));
    }
  }

  private static IllegalArgumentException fault(String name, @Nullable JsonNode value) {
    return new IllegalArgumentException("stored rules have no right '" + name + "': " + value);
  }
}
