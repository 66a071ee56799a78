package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolMode;
import org.jspecify.annotations.Nullable;

/// The code that answers a call: a lambda, a webhook, another server's tool.
///
/// Called concurrently. Each attempt has its own virtual thread, which is interrupted when the time
/// is up, unless [#endsWhenCancelled] returns true.
@FunctionalInterface
public interface ToolHandler {
  /// The answer: a [dev.switchboard.tool.ToolResult], a string, a [dev.switchboard.json.Json],
  /// anything that can be written as JSON, a [java.util.concurrent.CompletionStage] of these, or
  /// null. An object whose `success` is a boolean is a result; wrap an answer that is not one in
  /// [dev.switchboard.tool.ToolResult#ok].
  ///
  /// @throws ToolException with a text for the model
  /// @throws Exception for any other failure; the model reads only its class
  @Nullable Object handle(Arguments arguments, ToolContext context) throws Exception;

  /// Checks what the schema cannot say of valid arguments, before rules and consent. It neither
  /// waits nor changes anything.
  ///
  /// @throws ToolException made by [ToolException#invalid], for a value that the tool refuses
  default void check(Arguments arguments) {}

  /// Whether an attempt that timed out reliably ends when it is interrupted, so that another may be
  /// made.
  default boolean endsWhenInterrupted() {
    return endsWhenCancelled();
  }

  /// Whether an attempt reliably ends at once when another thread runs its [ToolContext#onCancel]
  /// actions, which never block. Such an attempt may run on the caller's thread, where an interrupt
  /// ends it with an [InterruptedException].
  default boolean endsWhenCancelled() {
    return false;
  }

  /// The default mode of its tools; null for the one that the name implies.
  default @Nullable ToolMode mode() {
    return null;
  }

  /// Whether a failed call of a tool in that mode is retried by default.
  default boolean mayRepeat(ToolMode mode) {
    return mode.retries();
  }

  /// Whether the receiver recognizes a repeated call by its idempotency key.
  default boolean knowsRepeats() {
    return false;
  }

  /// The code that answers a call of a typed tool.
  ///
  /// @param <T> the type that the tool's arguments are bound to
  @FunctionalInterface
  interface Typed<T> extends ToolHandler {
    /// The answer, as [ToolHandler#handle(Arguments, ToolContext)] describes it.
    @Nullable Object handleBound(T arguments, ToolContext context) throws Exception;

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the check of a typed tool has bound them to T
    default @Nullable Object handle(Arguments arguments, ToolContext context) throws Exception {
      return handleBound((T) arguments.bound, context);
    }
  }

  /// Valid arguments.
  ///
  /// @param json the object, as the model wrote it
  /// @param bound the typed tool's record, null for a dynamic tool
  record Arguments(Json json, @Nullable Object bound) {}
}
