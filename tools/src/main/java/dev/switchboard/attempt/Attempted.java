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

/// A call as its attempts see it: what to run, and the services for its handler.
public interface Attempted {
  /// The running call.
  ToolCall call();

  /// The called tool.
  Tool tool();

  /// The handler that answers: the tool's, or a probe that looks up the outcome of the call.
  ToolHandler handler();

  /// Whether it is a probe, which has a time limit and a single attempt.
  boolean isProbe();

  /// How long it may take from now on.
  Duration deadline();

  /// The arguments for the handler.
  ToolHandler.Arguments arguments();

  /// The attempts of the call whose handler made this one, null if the model made it.
  @Nullable Attempts outer();

  /// Whether the conversation or its turn was cancelled.
  boolean cancelled();

  /// Whether an attempt may begin here: not if another process may have the conversation.
  boolean mayBegin();

  /// Records that its attempts begin, which a cancel of the conversation then reaches.
  void began(Attempts attempts);

  /// Records that its attempts have ended.
  void ended(Attempts attempts);

  /// Shows an event, created when it is shown; null for none.
  void show(Supplier<? extends @Nullable Event> event);

  /// Records that an attempt has failed and another follows after that pause.
  void retrying(int attempt, String cause, Duration pause);

  /// Records that the handler has answered after the attempt had ended, without effect.
  void late();

  /// As [dev.switchboard.handler.ToolContext#conversationId].
  String conversationId();

  /// As [dev.switchboard.handler.ToolContext#principal].
  String principal();

  /// As [dev.switchboard.handler.ToolContext#actor].
  @Nullable String actor();

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

  /// The person whom the handler can ask for consent.
  ToolContext.Consent consent(Attempt attempt);

  /// The result of a call that the handler makes under that id; refused if the attempt has ended.
  ToolResult nested(Attempt attempt, String id, String tool, Json arguments);

  /// Delivers a message to the user of the conversation, if no router does.
  MessageRouter.Delivery deliver(MessageRouter.Letter letter);
}
