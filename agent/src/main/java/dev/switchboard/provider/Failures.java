package dev.switchboard.provider;

import dev.switchboard.http.RetryAfter;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The failures of one model: messages that name it and never contain its key.
public final class Failures {
  private static final int LONGEST = 500;
  // A shorter key is a placeholder, which may be part of many words.
  private static final int SHORTEST_KEY = 8;
  private static final String REDIRECT = "Check the base_url: redirects are not followed.";

  private final String model;
  private final String place;
  private final @Nullable ApiKey key;
  private final String usualVariable;

  /// @param place the address of its service
  /// @param usualVariable the usual environment variable of this provider's keys
  Failures(String model, String place, @Nullable ApiKey key, String usualVariable) {
    this.model = model;
    this.place = place;
    this.key = key;
    this.usualVariable = usualVariable;
  }

  /// A part of an answer as JSON; a string in it may contain a lone surrogate.
  ///
  /// @throws ModelException when it is not JSON
  public JsonNode json(String text) {
    try {
      return Json.piece(text);
    } catch (JsonException e) {
      throw broken("sent something that " + e.getMessage() + ".", e);
    }
  }

  /// A reply that is not valid.
  ///
  /// @param what the rest of the sentence after the model's name
  public ModelException broken(String what) {
    return broken(what, null);
  }

  ModelException broken(String what, @Nullable Throwable cause) {
    return of(Kind.BROKEN, what, null, cause);
  }

  /// An answer that another service gives: to ask again does not help.
  ///
  /// @param what it answered, such as `text/html`
  public ModelException misplaced(String what) {
    return of(Kind.DENIED, "answered " + bounded(what) + ": check base_url.", null, null);
  }

  /// The failure that a provider reports within an answer.
  ///
  /// @param answer the object with the member `error`
  public ModelException reported(JsonNode answer) {
    ProviderError error = ProviderError.of(answer);
    return of(error.kind(), "broke off" + said(error), null, null);
  }

  /// The failure that an event named `error` reports.
  ///
  /// @param data JSON of any form, or text
  ModelException reportedEvent(String data) {
    ProviderError error = ProviderError.read(data);
    return of(error.kind(), "broke off" + said(error), null, null);
  }

  /// The failure for an answer's status.
  ///
  /// @param retryAfter the header of that name
  ModelException status(int status, @Nullable String retryAfter, String body) {
    ProviderError error = ProviderError.read(body);
    Kind kind = kind(status, error);
    String what = "answered " + status + said(error) + remedy(status, kind);
    Duration wait = kind.passing() ? RetryAfter.parse(retryAfter, Time.SYSTEM.now()) : null;
    return of(kind, what, wait, null);
  }

  ModelException of(
      Kind kind, String what, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    String message = "model '" + model + "' at " + place + " " + what;
    return new ModelException(kind, message, retryAfter, cause);
  }

  private static Kind kind(int status, ProviderError error) {
    return switch (status) {
      case 429 -> error.says("insufficient_quota") ? Kind.DENIED : Kind.RATE_LIMITED;
      case 401, 402, 403, 404 -> Kind.DENIED;
      case 408 -> Kind.UNAVAILABLE;
      default -> status >= 500 ? Kind.UNAVAILABLE : Kind.REFUSED;
    };
  }

  private String said(ProviderError error) {
    String message = bounded(withoutKey(error.message()));
    if (message.isEmpty()) {
      return ".";
    }
    return ": " + message + (message.matches("(?s).*[.!?]") ? "" : ".");
  }

  private String withoutKey(String text) {
    if (key == null || key.text().length() < SHORTEST_KEY) {
      return text;
    }
    return text.replace(key.text(), "***");
  }

  private static String bounded(String text) {
    StringBuilder plain = new StringBuilder();
    text.strip()
        .codePoints()
        .limit(LONGEST + 1L)
        .map(c -> Character.isISOControl(c) ? ' ' : c)
        .forEach(plain::appendCodePoint);
    if (plain.codePointCount(0, plain.length()) <= LONGEST) {
      return plain.toString();
    }
    return plain.substring(0, plain.offsetByCodePoints(0, LONGEST)) + "...";
  }

  private String remedy(int status, Kind kind) {
    if (kind != Kind.REFUSED && kind != Kind.DENIED) {
      return "";
    }
    return switch (status) {
      case 401, 403 -> " " + keyRemedy();
      case 404 -> " Check the name of the model and the base_url.";
      case 405 -> " Check the base_url.";
      case 413 -> " Make the conversation shorter.";
      case 429 -> " Check the plan and the bills of the account.";
      default -> status >= 300 && status < 400 ? " " + REDIRECT : "";
    };
  }

  private String keyRemedy() {
    if (key == null) {
      return "Give it an API key: api_key_env names its variable, such as " + usualVariable + ".";
    }
    String variable = key.variable();
    return variable == null
        ? "Check its API key."
        : "Check the API key in the environment variable " + variable + ".";
  }
}
