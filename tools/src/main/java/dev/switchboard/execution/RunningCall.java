package dev.switchboard.execution;

import dev.switchboard.attempt.Attempt;
import dev.switchboard.attempt.Attempted;
import dev.switchboard.attempt.Attempts;
import dev.switchboard.attempt.ResultConverter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A call as its attempts see it; the conversation and the runtime provide what its handler
/// requests.
final class RunningCall implements Attempted {
  private final Call running;
  private final Tool tool;
  private final ToolHandler handler;
  private final boolean isProbe;
  private final Provided provided;
  private final ToolSession session;
  private final OpenWork open;
  private final Abandonment abandonment;

  /// @param handler its tool's, or a probe that looks up its outcome
  RunningCall(Call running, ToolHandler handler, boolean isProbe, Provided provided) {
    this.running = running;
    tool = running.tool();
    this.handler = handler;
    this.isProbe = isProbe;
    this.provided = provided;
    session = running.session();
    open = session.open();
    abandonment = running.abandonment();
  }

  /// What the runtime provides to the handlers of all calls.
  ///
  /// @param seldom logs what may recur often
  /// @param nested runs a call that the handler of another one makes
  record Provided(
      Services services,
      CallCheck check,
      Consents consents,
      Listeners listeners,
      RateLimitedLog seldom,
      BiFunction<Call, ToolCall, ToolResult> nested) {}

  @Override
  public ToolCall call() {
    return running.call();
  }

  @Override
  public Tool tool() {
    return tool;
  }

  @Override
  public ToolHandler handler() {
    return handler;
  }

  @Override
  public boolean isProbe() {
    return isProbe;
  }

  @Override
  public Duration deadline() {
    return open.deadline(call().id(), tool);
  }

  @Override
  public ToolHandler.Arguments arguments() {
    return running.arguments();
  }

  @Override
  public @Nullable Attempts outer() {
    return running.outer();
  }

  @Override
  public boolean cancelled() {
    return session.cancelled();
  }

  @Override
  public boolean mayBegin() {
    return abandonment.mayBegin();
  }

  @Override
  public void began(Attempts attempts) {
    running.began(attempts);
  }

  @Override
  public void ended(Attempts attempts) {
    open.ended(attempts);
  }

  @Override
  public void show(Supplier<? extends @Nullable Event> event) {
    session.show(event);
  }

  @Override
  public void retrying(int attempt, String cause, Duration pause) {
    provided.listeners.retrying(call(), attempt, cause, pause);
    Json retry =
        Json.of(
            Codec.object()
                .put("taskId", call().id())
                .put("attempt", attempt)
                .put("cause", cause)
                .put("pauseMs", pause.toMillis()));
    String key = "retry/" + call().id() + "/" + attempt;
    session.events().append(key, new Event.AgentEvent("retry", retry));
  }

  @Override
  public void late() {
    String line = "tool '" + tool.name() + "' answered after its call had ended";
    provided.seldom.log(Broken.calls(), Level.INFO, line);
  }

  @Override
  public String conversationId() {
    return session.conversationId();
  }

  @Override
  public String principal() {
    return session.principal();
  }

  @Override
  public @Nullable String actor() {
    return Listeners.actor(session);
  }

  @Override
  public @Nullable String caller() {
    return session.caller();
  }

  @Override
  public @Nullable String callee() {
    return session.callee();
  }

  @Override
  public Map<String, String> attributes() {
    return session.attributes();
  }

  @Override
  public String idempotencyKey() {
    return session.idempotencyKey(provided.services.agent(), running.asked().id());
  }

  @Override
  public Services services() {
    return provided.services.withPrincipal(session.principal());
  }

  @Override
  public ToolContext.Consent consent(Attempt attempt) {
    return new HandlerConsent(attempt, running, provided.consents);
  }

  @Override
  public ToolResult nested(Attempt attempt, String id, String name, Json arguments) {
    // Calls of a probe have ids that differ from those of the call's handler.
    String own = isProbe ? call().id() + ".probe" + id.substring(call().id().length()) : id;
    ToolCall inner = new ToolCall(own, name, arguments);
    return attempt.cancelled()
        ? ResultConverter.finish(Refusal.cancelled(inner), own)
        : provided.nested.apply(running, inner);
  }

  @Override
  public Delivery deliver(Letter letter) {
    // In the form that guardrails leave it.
    String content = provided.check.guards(session).said(letter.content());
    return session.events().deliver(letter.withContent(content), session.caller());
  }
}
