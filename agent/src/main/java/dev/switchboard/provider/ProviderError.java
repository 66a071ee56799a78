package dev.switchboard.provider;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.model.ModelException.Kind;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// An error of a provider, as far as it can be read.
///
/// @param type its code or type, empty if it has none
/// @param message its text, empty if it has none
record ProviderError(String type, String message) {
  /// The error in an answer's body, which is JSON of a common format or plain text.
  static ProviderError read(String body) {
    try {
      return of(Json.text(body).tree());
    } catch (JsonException e) {
      // The page of a gateway adds nothing to the status.
      return new ProviderError("", body.stripLeading().startsWith("<") ? "" : body);
    }
  }

  /// The error in the object's member `error`, or the object itself.
  static ProviderError of(JsonNode answer) {
    JsonNode outer = answer.isArray() ? answer.path(0) : answer;
    JsonNode error = outer.has("error") ? outer.path("error") : outer;
    if (error.isString()) {
      return new ProviderError(word(outer), error.stringValue());
    }
    JsonNode message = error.has("message") ? error.path("message") : error.path("detail");
    String text = message.isString() ? message.stringValue() : message.toString();
    return new ProviderError(word(error), message.isMissingNode() ? error.toString() : text);
  }

  /// The most specific of its codes and types, all of them if there are several.
  private static String word(JsonNode error) {
    String words =
        String.join(
            " ",
            error.path("type").asString(""),
            error.path("code").asString(""),
            error.path("status").asString(""));
    return words.strip().toLowerCase(Locale.ROOT);
  }

  /// The kind of an error within a stream.
  Kind kind() {
    if (says(
        "insufficient_quota", "authentication", "permission", "billing", "not_found", "api_key")) {
      return Kind.DENIED;
    }
    if (says("rate_limit", "resource_exhausted", "too_many_requests", "429")) {
      return Kind.RATE_LIMITED;
    }
    if (says("overloaded", "api_error", "server_error", "unavailable", "timeout")
        || type.matches(".*\\b5[0-9][0-9]\\b.*")) {
      return Kind.UNAVAILABLE;
    }
    if (says("invalid", "too_large") || says("exceeded") || type.matches(".*\\b4[0-9][0-9]\\b.*")) {
      return Kind.REFUSED;
    }
    return Kind.BROKEN;
  }

  boolean says(String... words) {
    for (String word : words) {
      if (type.contains(word)) {
        return true;
      }
    }
    return false;
  }
}
