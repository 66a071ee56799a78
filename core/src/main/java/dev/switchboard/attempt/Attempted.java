package dev.switchboard.attempt;

import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A call as its attempts see it: what to do, and what its handler may ask for.
public interface Attempted {
  /// The call as it runs.
  ToolCall call();

  /// The tool whose handler answers.
  Tool tool();

  /// The handler that answers: the tool's, or a probe that finds out what became of the call.
  default ToolHandler handler() {
    return tool().handler();
  }

  /// Whether it is a probe, which is bounded and made once.
  default boolean isProbe() {
    return false;
  }

  /// The arguments that the handler gets.
  ToolHandler.Arguments arguments();

  /// The attempts of the call whose tool made this one, null if the model made it.
  @Nullable Attempts outer();

  /// Whether the conversation or its turn was cancelled.
  boolean cancelled();

  /// Shows an event, made when its turn comes; null for nothing to show.
  void show(Supplier<? extends @Nullable Event> event);

  /// Records that an attempt has failed and that another follows after that pause.
  void retrying(int attempt, String cause, Duration pause);

  /// As [dev.switchboard.handler.ToolContext#conversationId].
  String conversationId();

  /// As [dev.switchboard.handler.ToolContext#caller].
  @Nullable String caller();

  /// As [dev.switchboard.handler.ToolContext#callee].
  @Nullable String callee();

  /// As [dev.switchboard.handler.ToolContext#attributes].
  Map<String, String> attributes();

  /// As [dev.switchboard.handler.ToolContext#idempotencyKey].
  String idempotencyKey();

  /// As [dev.switchboard.handler.ToolContext#services].
  Services services();

  /// The person whom the handler can ask.
  ToolContext.Consent consent(Attempt attempt);

  /// The result of a call that the handler makes under that id; refused where the attempt has
  /// ended.
  ToolResult nested(Attempt attempt, String id, String tool, Json arguments);

  /// Hands a message to the user of the conversation, where no router does.
  MessageRouter.Delivery deliver(MessageRouter.Letter letter);
}
