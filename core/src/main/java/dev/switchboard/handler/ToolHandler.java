package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolMode;
import org.jspecify.annotations.Nullable;

/// The code that answers a call: a lambda, a webhook, another server's tool.
///
/// Implementations are called from several threads at once, each attempt on a virtual thread of its
/// own that is interrupted when the time is up, unless [#endsWhenCancelled] says that a cancel
/// action is enough.
@FunctionalInterface
public interface ToolHandler {
  /// The answer: a [dev.switchboard.tool.ToolResult], a string, a [dev.switchboard.json.Json],
  /// anything that can be written as JSON, a [java.util.concurrent.CompletionStage] of these, or
  /// null. An object whose `success` is a boolean is read as the result itself; an answer that must
  /// never be read so is wrapped in [dev.switchboard.tool.ToolResult#ok].
  ///
  /// @throws ToolException with a text that is meant for the model
  /// @throws Exception for any other failure; the model is told only its kind
  @Nullable Object handle(Arguments arguments, ToolContext context) throws Exception;

  /// Whether an attempt that timed out surely ends when it is interrupted, so that another may be
  /// made: true for a request that can be dropped, false for code that may continue.
  default boolean endsWhenInterrupted() {
    return endsWhenCancelled();
  }

  /// Whether an attempt surely ends, at once, when the actions that it gave [ToolContext#onCancel]
  /// are run by another thread, and those never wait for anything. Such an attempt may be made on
  /// the caller's own thread, where an interrupt makes it end with an [InterruptedException].
  default boolean endsWhenCancelled() {
    return false;
  }

  /// The mode of its tools that state none; null for the one that follows from their name.
  default @Nullable ToolMode mode() {
    return null;
  }

  /// Whether a call of a tool in that mode is tried again by default when it has failed.
  default boolean mayRepeat(ToolMode mode) {
    return mode.retries();
  }

  /// Whether whoever answers knows a call that is made again by its idempotency key, and does not
  /// act twice.
  default boolean knowsRepeats() {
    return false;
  }

  /// Valid arguments, as a handler is given them.
  ///
  /// @param json the object, as the model wrote it
  /// @param bound the typed tool's record, null for a dynamic tool
  record Arguments(Json json, @Nullable Object bound) {}
}
