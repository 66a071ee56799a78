package dev.switchboard.execution;

import dev.switchboard.rule.Guardrail;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A listener to calls: an audit log, metrics, a test.
///
/// Called concurrently on the threads of the calls; exceptions are logged and change nothing.
public interface ExecutionListener {
  /// The attribute of a conversation in which someone acts for its principal in every turn, such as
  /// an operator: that one's name.
  String ACTOR = "actor";

  /// An attempt has failed, and another follows after that pause.
  ///
  /// @param attempt the number of the failed one, from 1
  /// @param cause as the model would read it
  default void retrying(ToolCall call, int attempt, String cause, Duration pause) {}

  /// A call has its result; called once for every call.
  default void settled(CallRecord call) {}

  /// A guardrail has matched or failed.
  default void guarded(GuardRecord found) {}

  /// A match or failure of a guardrail.
  ///
  /// @param guardrail its name
  /// @param then the action: `block`, `redact`, `flag` or `ask`; `allow` if it failed and lets the
  ///   text pass
  /// @param found the number of matches, never their text
  /// @param error why it failed, null if it did not
  /// @param call the id of the checked call, null for a text
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

  /// A settled call.
  ///
  /// @param at when it was settled
  /// @param principal whose conversation it is
  /// @param mode of its tool; of an unknown one, the mode that its name implies
  /// @param attempts 0 if its handler never began
  /// @param took from the start of the first attempt to the end
  /// @param attributes of its conversation, set by the host
  /// @param actor who acts for the principal, such as an operator; null for the principal
  /// @param answeredBy who answered the request for consent to it; null if no one was asked, or no
  ///   one answered
  record CallRecord(
      Instant at,
      String conversationId,
      String principal,
      ToolCall call,
      ToolMode mode,
      ToolResult result,
      int attempts,
      Duration took,
      Map<String, String> attributes,
      @Nullable String actor,
      @Nullable String answeredBy) {}
}
