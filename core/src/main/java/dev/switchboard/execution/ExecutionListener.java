package dev.switchboard.execution;

import dev.switchboard.rule.Guardrail;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Somebody who is told what happens at the door: an audit log, a meter, a test.
///
/// Called on the threads of the calls, several at once; what it throws is logged and changes
/// nothing.
public interface ExecutionListener {
  /// An attempt has failed, and after that pause there will be another.
  ///
  /// @param attempt the number of the one that failed, from 1
  /// @param cause what went wrong, as the model would read it
  default void retrying(ToolCall call, int attempt, String cause, Duration pause) {}

  /// A call has its result; told once for every call.
  default void settled(CallRecord call) {}

  /// A guardrail has found something, or could not look.
  default void guarded(GuardRecord found) {}

  /// What a guardrail has done, for the record.
  ///
  /// @param guardrail its name
  /// @param then what follows: `block`, `redact`, `flag` or `ask`; `allow` where it could not look
  ///   and lets it pass
  /// @param found how often, never what
  /// @param error why it could not look, null where it could
  /// @param call the id of the call that it looked at, null for words
  /// @param tool of that call
  record GuardRecord(
      Instant at,
      String conversationId,
      String guardrail,
      Guardrail.Place on,
      String then,
      int found,
      @Nullable String error,
      @Nullable String call,
      @Nullable String tool) {}

  /// A settled call, for the record.
  ///
  /// @param at when it was settled
  /// @param mode of its tool; of an unknown one, what the name suggests
  /// @param attempts made, 0 when its handler never began
  /// @param took from the start of the first attempt to the end
  /// @param attributes of its conversation, as the host has set them
  record CallRecord(
      Instant at,
      String conversationId,
      ToolCall call,
      ToolMode mode,
      ToolResult result,
      int attempts,
      Duration took,
      Map<String, String> attributes) {}
}
