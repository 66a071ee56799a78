package dev.switchboard.phone.call;

import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The events of tools, rules and consent in a call, and what follows from each.
///
/// For the actor's thread.
final class ToolEvents {
  private final CallContext call;
  private final ResponsePlayer player;
  private final EngineRequests engine;
  private final ToolRounds rounds;
  private final TurnWatcher watcher;
  private final ToolProgress progress;

  ToolEvents(
      CallContext call,
      ResponsePlayer player,
      EngineRequests engine,
      ToolRounds rounds,
      TurnWatcher watcher) {
    this.call = call;
    this.player = player;
    this.engine = engine;
    this.rounds = rounds;
    this.watcher = watcher;
    progress = new ToolProgress(call, player);
  }

  /// Handles an event.
  ///
  /// @param settled receives the result of a call
  void on(Event event, Consumer<ToolResult> settled) {
    if (call.isEnded() && !(event instanceof Event.ToolSettled)) {
      return;
    }
    switch (event) {
      case Event.LoaderHint(String id, String hint, Duration after) ->
          progress.hint(rounds.find(id), hint, after);
      case Event.ToolSettled(ToolResult result, String tool) -> settled.accept(result);
      case Event.AgentEvent(String name, Json payload) -> agent(name, payload);
      case Event.Content content -> player.requests().say(Kind.NOTICE, content.content(), true);
      case Event.ToolCalled called -> {}
      case Event.Failed failed -> {}
      case Event.BudgetExhausted exhausted -> {}
      case Event.Keepalive keepalive -> {}
      case Event.Done done -> {}
    }
  }

  private void agent(String name, @Nullable Json payload) {
    if (payload == null) {
      return;
    }
    JsonNode json = payload.tree();
    switch (name) {
      case "consent_request" ->
          watcher.consent(
              json.at("/call/id").asString(""), Instant.parse(json.path("expiresAt").asString()));
      case "reminder" -> engine.add(new Message.Notice(json.path("text").asString("")));
      default -> {}
    }
  }
}
