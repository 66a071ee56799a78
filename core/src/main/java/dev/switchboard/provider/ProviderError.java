package dev.switchboard.provider;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.model.ModelException.Kind;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// What a provider says of a request that it did not answer, as far as it can be read.
///
/// @param type its own word for the failure, empty where it has none
/// @param message in its own words, empty where it has none
record ProviderError(String type, String message) {
  /// The error that an answer's body tells of: JSON of one of the usual forms, or plain text.
  static ProviderError read(String body) {
    try {
      return of(Json.text(body).tree());
    } catch (JsonException e) {
      // A gateway's page says nothing that its status does not.
      return new ProviderError("", body.stripLeading().startsWith("<") ? "" : body);
    }
  }

  /// The error in an object that has a member `error`, or is one itself.
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

  /// The most telling of its words, all of them where there are several.
  private static String word(JsonNode error) {
    String words =
        String.join(
            " ",
            error.path("type").asString(""),
            error.path("code").asString(""),
            error.path("status").asString(""));
    return words.strip().toLowerCase(Locale.ROOT);
  }

  /// What an error in the middle of a stream comes to.
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
