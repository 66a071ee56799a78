package dev.switchboard.server.dialect;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/// How a turn ends according to its events, for clients that show only text.
///
/// For one thread at a time.
final class Ending {
  // Of events after which the model is asked again.
  private static final Set<String> AGAIN =
      Set.of("reply_restarted", "invalid_reply", "reminder", "model_retry", "model_fallback");

  private String lack = ""; // of the latest reply, empty if it is complete

  /// Handles an event.
  void note(JsonNode event) {
    switch (event.path("type").asString("")) {
      case "content" -> lack = event.path("content").asString("").isEmpty() ? lack : "";
      case "tool_call", "tool_result" -> lack = "";
      case "agent" -> {
        String what = event.path("event").asString("");
        if (what.equals("incomplete_reply")) {
          lack = event.path("payload").path("reason").asString("");
        } else if (AGAIN.contains(what)) {
          lack = "";
        }
      }
      default -> {}
    }
  }

  /// Whether the turn ended at the limit of its rounds or of its budget, or its reply at the
  /// model's limit.
  boolean isCut(String stopReason) {
    return stopReason.equals("max_iterations")
        || stopReason.equals("budget")
        || lack.equals("length");
  }

  /// Whether the provider held a part of the reply back.
  boolean isFiltered() {
    return lack.equals("filtered");
  }

  /// The sentence with which the event ends a turn in place of a reply, empty if it does not. Turns
  /// that failed are reported as errors instead.
  static String sentence(JsonNode event) {
    return switch (event.path("code").asString("")) {
      case "max_iterations", "budget", "set_aside" -> event.path("message").asString("");
      default -> "";
    };
  }
}
