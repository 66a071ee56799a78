package dev.switchboard.handler;

import org.jspecify.annotations.Nullable;

/// What answers a call: a lambda, a webhook, another server's tool.
///
/// Implementations are called from several threads at once, each call on a virtual thread of its
/// own that is interrupted when the call's time is up.
@FunctionalInterface
public interface ToolHandler {
  /// The answer: a [dev.switchboard.tool.ToolResult], a string, a [dev.switchboard.json.Json],
  /// anything that can be written as JSON, a [java.util.concurrent.CompletionStage] of these, or
  /// null.
  ///
  /// @throws ToolException with a text that is meant for the model
  /// @throws Exception whatever else goes wrong; the model is told its kind only
  @Nullable Object handle(Arguments arguments, ToolContext context) throws Exception;

  /// Whether an attempt that ran out of time is surely over once it was interrupted, so that
  /// another may be made: true for a request that can be dropped, false for code that may go on.
  default boolean endsWhenInterrupted() {
    return false;
  }
}
