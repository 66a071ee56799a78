package dev.switchboard.execution;

import dev.switchboard.json.Json;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The key under which an event of a call or of a consent is logged once.
final class EventKey {
  private EventKey() {}

  /// The key that follows from the event, null where none does.
  static @Nullable String of(Event event) {
    return switch (event) {
      case Event.ToolCalled called -> "called/" + called.call().id();
      case Event.ToolSettled settled -> "settled/" + settled.result().callId();
      case Event.AgentEvent(String word, @Nullable Json payload) ->
          payload == null ? null : of(word, payload.tree());
      case Event.Content words -> null;
      case Event.LoaderHint hint -> null;
      case Event.Failed failed -> null;
      case Event.BudgetExhausted exhausted -> null;
      case Event.Keepalive alive -> null;
      case Event.Done done -> null;
    };
  }

  /// A request may be answered again, where the first answer's call was cut off.
  private static @Nullable String of(String word, JsonNode payload) {
    String id = payload.path("id").asString("");
    return switch (word) {
      case "consent_request" -> word + "/" + id;
      case ConsentAnswer.EVENT -> word + "/" + id + "/" + payload.path("at").asString("");
      default -> null;
    };
  }
}
