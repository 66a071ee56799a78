package dev.switchboard.tool;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// An event of a conversation's stream.
public sealed interface Event {
  /// Text of the assistant.
  record Content(String content) implements Event {}

  /// A call has arrived; one for every call, including refused ones.
  ///
  /// @param auto whether the runtime or another tool made it, not the model
  /// @param mode of the tool, for a user interface; null if there is no tool of that name
  record ToolCalled(ToolCall call, boolean auto, @Nullable ToolMode mode) implements Event {}

  /// Progress or reassurance of a running call.
  ///
  /// @param taskId the call's id
  /// @param after of a reassurance the delay since the call's start; null for progress
  record LoaderHint(String taskId, String hint, @Nullable Duration after) implements Event {
    /// Progress that the handler reports.
    public static LoaderHint progress(String callId, String text) {
      return new LoaderHint(callId, text, null);
    }

    /// The reassurance of a slow tool.
    public static LoaderHint reassurance(String callId, Reassurance reassurance) {
      return new LoaderHint(callId, reassurance.message(), reassurance.after());
    }
  }

  /// The one result of a call.
  ///
  /// @param tool the name that was called
  record ToolSettled(ToolResult result, String tool) implements Event {}

  /// A problem outside a call.
  ///
  /// @param code a word for programs, such as `bad_line`
  /// @param details further members of the event, such as `line`
  record Failed(String message, String code, Map<String, Json> details) implements Event {
    public Failed {
      details = Map.copyOf(details);
    }
  }

  /// A limit of the loop, or its budget, was reached.
  ///
  /// @param details further members, by name
  record BudgetExhausted(String message, String code, Map<String, Json> details) implements Event {
    public BudgetExhausted {
      details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /// A limit without details.
    public BudgetExhausted(String message, String code) {
      this(message, code, Map.of());
    }
  }

  /// Another event, such as a request for consent.
  record AgentEvent(String event, @Nullable Json payload) implements Event {}

  /// A sign of life on a quiet stream.
  record Keepalive() implements Event {}

  /// The end of a turn.
  record Done(Json payload) implements Event {}

  /// An event of a conversation's log.
  ///
  /// @param number from 1 in its conversation, without gaps; 0 before it is stored
  /// @param key unique in the conversation, so that a turn that runs again after a crash logs
  ///   nothing twice; null if it may be repeated
  /// @param run the id of the input that began its turn, or of the call that a person made; null
  ///   before the first
  /// @param at when it happened, in milliseconds
  /// @param event as on the wire, [Event#json()]
  record Logged(long number, @Nullable String key, @Nullable String run, Instant at, Json event) {
    public Logged {
      at = at.truncatedTo(ChronoUnit.MILLIS);
    }

    /// This event with the number that the store assigned.
    public Logged numbered(long stored) {
      return new Logged(stored, key, run, at, event);
    }
  }

  /// The event as on the wire, distinguished by its `type`.
  default Json json() {
    ObjectNode out = Codec.object();
    switch (this) {
      case Content(String content) -> out.put("type", "content").put("content", content);
      case ToolCalled(ToolCall call, boolean auto, ToolMode mode) -> {
        out.put("type", "tool_call").set("payload", call.json().tree());
        if (mode != null) {
          out.put("mode", mode.word());
        }
        if (auto) {
          out.put("auto", true);
        }
      }
      case LoaderHint(String taskId, String hint, Duration after) -> {
        out.put("type", "loader-hint").put("taskId", taskId).put("hint", hint);
        out.put("kind", after == null ? "progress" : "reassurance");
        if (after != null) {
          out.put("after_ms", after.toMillis());
        }
      }
      case ToolSettled(ToolResult result, String tool) -> {
        out.put("type", "tool_result").set("payload", result.json().tree());
        out.put("tool", tool);
      }
      case Failed(String message, String code, Map<String, Json> details) -> {
        out.put("type", "error").put("message", message).put("code", code);
        details.forEach((name, value) -> out.set(name, value.tree()));
      }
      case BudgetExhausted(String message, String code, Map<String, Json> details) -> {
        out.put("type", "budget_exhausted").put("message", message).put("code", code);
        details.forEach((name, value) -> out.set(name, value.tree()));
      }
      case AgentEvent(String event, Json payload) -> {
        out.put("type", "agent").put("event", event);
        if (payload != null) {
          out.set("payload", payload.tree());
        }
      }
      case Keepalive() -> out.put("type", "keepalive");
      case Done(Json payload) -> out.put("type", "done").set("payload", payload.tree());
    }
    return Json.of(out);
  }
}
