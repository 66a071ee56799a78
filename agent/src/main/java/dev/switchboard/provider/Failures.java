package dev.switchboard.provider;

import dev.switchboard.http.HiddenRetryAfter;
import dev.switchboard.http.RetryAfter;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.time.Time;
import java.time.Duration;
import okhttp3.Response;
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
    return reported(ProviderError.of(answer));
  }

  /// The failure that an event named `error` reports.
  ///
  /// @param data JSON of any form, or text
  ModelException reportedEvent(String data) {
    return reported(ProviderError.read(data));
  }

  private ModelException reported(ProviderError error) {
    return failed(0, error, "broke off", Retry.UNSTATED);
  }

  /// What an answer's headers say of a retry.
  ///
  /// @param after how long to wait, null if they do not say
  /// @param wanted whether to ask again, null if they do not say
  record Retry(@Nullable Duration after, @Nullable Boolean wanted) {
    static final Retry UNSTATED = new Retry(null, null);

    private static final int MOST_DIGITS = 9;

    static Retry of(Response response) {
      String wanted = response.header("x-should-retry", "");
      return new Retry(
          after(response.header("retry-after-ms"), HiddenRetryAfter.of(response)),
          "true".equals(wanted) ? Boolean.TRUE : "false".equals(wanted) ? Boolean.FALSE : null);
    }

    private static @Nullable Duration after(@Nullable String millis, @Nullable String header) {
      // It may have decimals.
      String digits = millis == null ? "" : millis.strip().replaceFirst("\\.\\d*$", "");
      return digits.matches("\\d{1," + MOST_DIGITS + "}")
          ? Duration.ofMillis(Long.parseLong(digits))
          : RetryAfter.parse(header, Time.SYSTEM.now());
    }
  }

  /// The failure for an answer's status.
  ModelException status(int status, Retry retry, String body) {
    return failed(status, ProviderError.read(body), "answered " + status, retry);
  }

  /// @param status 0 for an error within a stream
  private ModelException failed(int status, ProviderError error, String what, Retry retry) {
    Kind kind = error.kind(status);
    boolean passing = retry.wanted() == null ? kind.passing() : retry.wanted();
    return new ModelException(
            kind,
            message(what + said(error) + remedy(status, kind, error)),
            passing ? retry.after() : null,
            kind == Kind.TOO_LONG ? error.window() : 0,
            null)
        .withPassing(passing);
  }

  ModelException of(
      Kind kind, String what, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    return new ModelException(kind, message(what), retryAfter, cause);
  }

  private String message(String what) {
    return "model '" + model + "' at " + place + " " + what;
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

  private String remedy(int status, Kind kind, ProviderError error) {
    return switch (kind) {
      case DENIED ->
          error.isAboutMoney() || status == 402
              ? " Check the plan and the bills of the account."
              : " " + keyRemedy();
      case NOT_FOUND -> " " + nameRemedy();
      case TOO_LONG ->
          " State the model's 'window', so that earlier messages are left out in time.";
      case UNSUPPORTED -> " " + optionRemedy(error);
      case REFUSED ->
          status == 405
              ? " Check the base_url."
              : status >= 300 && status < 400 ? " " + REDIRECT : "";
      case RATE_LIMITED, UNAVAILABLE, BROKEN, TIMEOUT, CANCELLED, EMPTY, FILTERED -> "";
    };
  }

  private String nameRemedy() {
    String successor = ModelNames.successor(model.substring(model.indexOf(':') + 1));
    return successor == null
        ? "Check the name of the model and the base_url."
        : "It is retired: use '" + successor + "'.";
  }

  /// Names the key of the model that is to be changed.
  private static String optionRemedy(ProviderError error) {
    String key = error.key();
    if (key == null) {
      return "Change or remove that option of the model.";
    }
    return key.equals("api")
        ? "Set the model's 'api' to \"responses\", or its 'reasoning' to \"none\"."
        : "Change or remove the model's '" + key + "'.";
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
