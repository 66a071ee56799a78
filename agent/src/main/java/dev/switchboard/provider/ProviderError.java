package dev.switchboard.provider;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.model.ModelException.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// An error of a provider, as far as it can be read.
///
/// @param codes its code, type and status, in lower case
/// @param message its text, empty if it has none
/// @param parameter the part of the request that it names, empty if it names none
/// @param window how many tokens the model reads at once, 0 if it does not say
record ProviderError(List<String> codes, String message, String parameter, int window) {
  private static final int MOST_TEXT = 16 * 1024;
  private static final int MOST_DIGITS = 9;

  /// How providers say that the account is empty.
  private static final Sign MONEY =
      new Sign(
          Kind.DENIED,
          "insufficient_quota|credit_balance_exhausted|billing_.*",
          "credit balance is too low|specified (workspace )?API usage limits|spend(ing)? limit");

  /// What codes and texts mean whatever the status is; the first that fits counts.
  private static final List<Sign> SIGNS =
      List.of(
          new Sign(
              Kind.TOO_LONG,
              "context_length_exceeded|exceed_context_size_error|request_too_large",
              "exceeds the context window|maximum context length is|Request too large"
                  + "|exceeds the maximum number of tokens|exceeds the available context size"
                  + "|prompt is too long|input length and `?max_tokens`? exceed"
                  + "|loaded with context length of"),
          new Sign(
              Kind.UNSUPPORTED,
              "unsupported_parameter|unsupported_value|unknown_parameter",
              "Function tools with reasoning_effort"
                  + "|(is|are) (not supported|deprecated) for this model"
                  + "|does not support the [\\w.`'\"]{1,60} parameter"
                  + "|maximum allowed number of output tokens|at most \\d+ completion tokens"),
          MONEY,
          new Sign(
              Kind.DENIED,
              "invalid_api_key|authentication_error|unauthenticated|permission_(error|denied)",
              null),
          new Sign(Kind.NOT_FOUND, "model_not_found|not_found(_error)?", null),
          new Sign(
              Kind.FILTERED,
              "invalid_prompt|content_filter|bio_policy|misalignment_policy_violation"
                  + "|(image_)?content_policy_violation",
              null),
          new Sign(
              Kind.RATE_LIMITED,
              "rate_limit(ed|_exceeded|_error)?|too_many_requests|resource_exhausted",
              null),
          new Sign(
              Kind.UNAVAILABLE,
              "server_error|internal(_server)?(_error)?|(server_is_|engine_)?overloaded(_error)?"
                  + "|slow_down|(service_)?unavailable|timeout_error|deadline_exceeded",
              null));

  private static final List<Pattern> WINDOWS =
      Stream.of(
              "maximum context length is ([\\d,]+)",
              "Request too large.{0,300}? Limit:? ([\\d,]+)",
              "exceeds the maximum number of tokens.{0,100}?\\(([\\d,]+)\\)",
              "prompt is too long: [\\d,]+ tokens > ([\\d,]+)",
              "exceed context limit:\\s*[\\d,]+ \\+ [\\d,]+ > ([\\d,]+)",
              "exceed the configured limit of ([\\d,]+)",
              "loaded with context length of (?:only )?([\\d,]+)")
          .map(regex -> Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.DOTALL))
          .toList();

  /// The members of requests that each key of a model sets.
  private static final List<Map.Entry<Pattern, String>> KEYS =
      List.of(
          key("thinking|reasoning|effort|budget_tokens", "reasoning"),
          key("temperature", "temperature"),
          key("max_(completion_|output_)?tokens", "max_tokens"),
          key("response_format|json_schema|output_config|text\\.format", "structured"));

  private static Map.Entry<Pattern, String> key(String members, String key) {
    return Map.entry(Pattern.compile(members, Pattern.CASE_INSENSITIVE), key);
  }

  /// A cause that codes or a text reveal.
  ///
  /// @param codes any of them
  /// @param text a part of the message, null if the codes tell all
  private record Sign(Kind kind, Pattern codes, @Nullable Pattern text) {
    Sign(Kind kind, String codes, @Nullable String text) {
      this(
          kind,
          Pattern.compile(codes),
          text == null ? null : Pattern.compile(text, Pattern.CASE_INSENSITIVE));
    }

    boolean fits(ProviderError error) {
      return error.codes.stream().anyMatch(code -> codes.matcher(code).matches())
          || text != null && text.matcher(error.message).find();
    }
  }

  /// The error in an answer's body, which is JSON of a common format or plain text.
  static ProviderError read(String body) {
    try {
      return of(Json.text(body).tree());
    } catch (JsonException e) {
      // The page of a gateway adds nothing to the status.
      return of(List.of(), body.stripLeading().startsWith("<") ? "" : body, "", 0);
    }
  }

  /// The error in the object's member `error`, or the object itself.
  static ProviderError of(JsonNode answer) {
    JsonNode outer = answer.isArray() ? answer.path(0) : answer;
    JsonNode error = outer.has("error") ? outer.path("error") : outer;
    if (error.isString()) {
      return of(codes(outer), error.stringValue(), "", 0);
    }
    JsonNode message = error.has("message") ? error.path("message") : error.path("detail");
    String text = message.isString() ? message.stringValue() : message.toString();
    return of(
        codes(error),
        message.isMissingNode() ? error.toString() : text,
        error.path("param").asString(""),
        error.path("n_ctx").asInt(0));
  }

  private static ProviderError of(
      List<String> codes, String message, String parameter, int window) {
    String text = message.substring(0, Math.min(message.length(), MOST_TEXT));
    int stated = Math.max(0, window);
    return new ProviderError(codes, text, parameter, stated == 0 ? window(text) : stated);
  }

  private static List<String> codes(JsonNode error) {
    return Stream.of("type", "code", "status")
        .map(member -> error.path(member).asString("").strip().toLowerCase(Locale.ROOT))
        .filter(code -> !code.isEmpty())
        .toList();
  }

  private static int window(String text) {
    for (Pattern pattern : WINDOWS) {
      Matcher matcher = pattern.matcher(text);
      if (matcher.find()) {
        String digits = matcher.group(1).replace(",", "");
        return digits.isEmpty() || digits.length() > MOST_DIGITS ? 0 : Integer.parseInt(digits);
      }
    }
    return 0;
  }

  /// Whether the account is empty, or has reached a limit of its costs.
  boolean isAboutMoney() {
    return MONEY.fits(this);
  }

  /// What it means.
  ///
  /// @param answered the status of the answer, 0 for an error within a stream
  Kind kind(int answered) {
    for (Sign sign : SIGNS) {
      if (sign.fits(this)) {
        return sign.kind;
      }
    }
    int status = answered == 0 ? status() : answered;
    return switch (status) {
      case 0 -> vague();
      case 401, 402, 403 -> Kind.DENIED;
      case 404 -> Kind.NOT_FOUND;
      case 408, 409 -> Kind.UNAVAILABLE;
      case 413 -> Kind.TOO_LONG;
      case 429 -> Kind.RATE_LIMITED;
      default -> status >= 500 ? Kind.UNAVAILABLE : Kind.REFUSED;
    };
  }

  /// The key of the model's options that it rejects, as files write it; null if it names none.
  @Nullable String key() {
    if (message.contains("Function tools with reasoning_effort")) {
      return "api";
    }
    String named = parameter.isEmpty() ? message : parameter;
    for (Map.Entry<Pattern, String> key : KEYS) {
      if (key.getKey().matcher(named).find()) {
        return key.getValue();
      }
    }
    return parameter.matches("[\\w.]{1,60}") ? "options." + parameter : null;
  }

  /// The status that one of its codes is, 0 if none is.
  private int status() {
    return codes.stream()
        .filter(code -> code.matches("[345]\\d\\d"))
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElse(0);
  }

  /// What codes mean that servers use for much.
  private Kind vague() {
    if (codes.contains("api_error")) {
      return Kind.UNAVAILABLE;
    }
    boolean refused =
        codes.stream().anyMatch(code -> code.contains("invalid") || code.contains("exceeded"));
    return refused ? Kind.REFUSED : Kind.BROKEN;
  }
}
