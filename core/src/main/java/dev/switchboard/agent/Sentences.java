package dev.switchboard.agent;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.MessageJson;
import dev.switchboard.model.Usage;
import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// What the user is told at the end of a turn, and what hosts are shown.
final class Sentences {
  /// The end of a turn that waits for a person.
  static final Event PENDING =
      new Event.Done(Json.of(Codec.object().put("stopReason", StopReason.CONSENT_PENDING.word())));

  private Sentences() {}

  /// A request that waits, shown once more.
  static Event asking(ConsentRequest request) {
    return new Event.AgentEvent("consent_request", request.json());
  }

  /// The end of a turn that was cut short.
  static Entry.Closed stopped(StopReason reason, int iterations) {
    return new Entry.Closed(reason, text(reason, iterations), List.of(), Usage.NONE);
  }

  private static String text(StopReason reason, int iterations) {
    return switch (reason) {
      case MAX_ITERATIONS ->
          "I have to stop here: this took more than the %d %s that I may take at a time."
              .formatted(iterations, iterations == 1 ? "step" : "steps");
      case MODEL_TIMEOUT -> "The language model did not answer in time. Please try again.";
      case MODEL_ERROR -> "The language model cannot be reached just now. Please try again later.";
      case CANCELLED -> "Cancelled.";
      case END_TURN, TOOL_RULE, TERMINAL_RESULT, CONSENT_PENDING -> "";
    };
  }

  /// The failure of asking the model, with a sentence for the user.
  static Entry.Failed failed(StopReason reason) {
    return new Entry.Failed(reason, text(reason, 0));
  }

  /// The last words of a turn: what a result that ends it has for the person, else the model's.
  static String last(Entry.Replied replied, List<ToolResult> results) {
    for (ToolResult result : results) {
      String message = result.message();
      if (result.isTerminal() && message != null) {
        return message;
      }
    }
    return replied.reply().text();
  }

  /// What hosts are shown at the end of a turn.
  static List<Event> events(Entry.Closed closed) {
    String code = closed.reason().word();
    Event done = done(closed);
    return switch (closed.reason()) {
      case MAX_ITERATIONS, MODEL_TIMEOUT ->
          List.of(new Event.BudgetExhausted(closed.text(), code), done);
      case MODEL_ERROR -> List.of(new Event.Failed(closed.text(), code, Map.of()), done);
      case END_TURN, TOOL_RULE, TERMINAL_RESULT, CANCELLED, CONSENT_PENDING -> List.of(done);
    };
  }

  private static Event done(Entry.Closed closed) {
    ObjectNode payload = Codec.object().put("stopReason", closed.reason().word());
    closed.unmet().forEach(tool -> payload.withArray("unmet").add(tool));
    if (!closed.usage().equals(Usage.NONE)) {
      payload.set("usage", MessageJson.write(closed.usage()));
    }
    return new Event.Done(Json.of(payload));
  }
}
