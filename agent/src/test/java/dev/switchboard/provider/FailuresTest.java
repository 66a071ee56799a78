package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.provider.Failures.Retry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {
  private static final Retry UNSTATED = Retry.UNSTATED;
  private static final ApiKey KEY = ApiKey.of("sk-0123456789/+");
  private static final Failures FAILURES = new Failures("m", "host", KEY, "SOME_KEY");

  /// As OpenAI, Gemini, Ollama, FastAPI and plain gateways write them.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"error\":{\"message\":\"No such model\",\"type\":\"invalid_request_error\"}}",
        "[{\"error\":{\"code\":404,\"message\":\"No such model\",\"status\":\"NOT_FOUND\"}}]",
        "{\"error\":\"No such model\"}",
        "{\"detail\":\"No such model\"}",
        "{\"object\":\"error\",\"message\":\"No such model\"}",
        "No such model"
      })
  void findsTheMessageInEveryUsualForm(String body) {
    assertThat(FAILURES.status(404, UNSTATED, body))
        .hasMessage(
            "model 'm' at host answered 404: No such model. Check the name of the model and the"
                + " base_url.");
  }

  @Test
  void doesWithoutAMessage() {
    assertThat(FAILURES.status(502, UNSTATED, "<html>Bad gateway</html>"))
        .hasMessage("model 'm' at host answered 502.");
    assertThat(FAILURES.status(500, UNSTATED, "")).hasMessage("model 'm' at host answered 500.");
  }

  @Test
  void saysHowAKeyIsGivenWhereNoneWas() {
    Failures without = new Failures("m", "host", null, "OPENAI_API_KEY");

    assertThat(without.status(401, UNSTATED, ""))
        .hasMessage(
            "model 'm' at host answered 401. Give it an API key: api_key_env names its variable,"
                + " such as OPENAI_API_KEY.");
  }

  @Test
  void cutsTheKeyOutBeforeItCutsTheMessage() {
    String text = "x".repeat(490) + " " + KEY.text();

    assertThat(FAILURES.status(400, UNSTATED, text))
        .hasMessageContaining("x ***")
        .hasMessageNotContaining("sk-");
    assertThat(FAILURES.status(400, UNSTATED, "{\"error\":\"sk-0123456789\\/+ is wrong\"}"))
        .hasMessageContaining("*** is wrong")
        .hasMessageNotContaining("sk-");
  }

  @Test
  void neverCutsACharacterInTwo() {
    String message = FAILURES.status(400, UNSTATED, "\ud83d\ude00".repeat(600)).getMessage();

    assertThat(message.codePointCount(0, message.length())).isLessThan(560);
    assertThat(message.codePoints().noneMatch(c -> c >= 0xd800 && c < 0xe000)).isTrue();
  }

  @Test
  void saysOnceThatAnAnswerIsNotJson() {
    assertThatThrownBy(() -> FAILURES.json("{\"choices\":"))
        .hasMessageStartingWith("model 'm' at host sent something that is not JSON: it ends")
        .hasMessageEndingWith(".");
  }

  /// Each cell of the table of kinds: an answer, and the same body as an event where it says enough
  /// without the status.
  static Stream<Arguments> causes() {
    return Stream.of(
        openAi(Kind.TOO_LONG, 400, "context_length_exceeded", "Too much.", 0),
        openAi(Kind.TOO_LONG, 400, "", "Your input exceeds the context window of this model.", 0),
        openAi(Kind.TOO_LONG, 400, "", "This model's maximum context length is 8192 tokens.", 8192),
        openAi(
            Kind.TOO_LONG,
            429,
            "rate_limit_exceeded",
            "Request too large for gpt in organization o on tokens per min (TPM): Limit 30,000,"
                + " Requested 45000.",
            30_000),
        openAi(Kind.TOO_LONG, 413, "tokens", "Request too large for model `x`: Limit 6000.", 6000),
        body(
            Kind.TOO_LONG,
            400,
            "{\"error\":{\"code\":400,\"message\":\"the request exceeds the available context"
                + " size\",\"type\":"
                + "\"exceed_context_size_error\",\"n_prompt_tokens\":5000,\"n_ctx\":4096}}",
            4096),
        body(
            Kind.TOO_LONG,
            400,
            "[{\"error\":{\"code\":400,\"message\":\"The input token count (1200000) exceeds the"
                + " maximum number of tokens allowed"
                + " (1048576).\",\"status\":\"INVALID_ARGUMENT\"}}]",
            1_048_576),
        anthropic(
            Kind.TOO_LONG,
            400,
            "invalid_request_error",
            "prompt is too long: 205000 tokens > 200000 maximum",
            200_000),
        anthropic(
            Kind.TOO_LONG,
            400,
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: \\n"
                + " 190000 + 20000 > 200000, decrease",
            200_000),
        openAi(
            Kind.TOO_LONG,
            400,
            "context_length_exceeded",
            "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in"
                + " 477469 tokens.",
            272_000),
        openAi(
            Kind.TOO_LONG,
            400,
            "",
            "However, the model is loaded with context length of only 4096 tokens",
            4096),
        anthropic(Kind.TOO_LONG, 413, "request_too_large", "Request exceeds the maximum size", 0),
        openAi(Kind.UNSUPPORTED, 400, "unsupported_parameter", "No.", 0),
        openAi(Kind.UNSUPPORTED, 400, "unsupported_value", "No.", 0),
        openAi(Kind.UNSUPPORTED, 400, "unknown_parameter", "No.", 0),
        openAi(
            Kind.UNSUPPORTED, 400, "", "Function tools with reasoning_effort are not supported", 0),
        anthropic(
            Kind.UNSUPPORTED,
            400,
            "invalid_request_error",
            "'thinking.type.disabled' is not supported for this model.",
            0),
        anthropic(
            Kind.UNSUPPORTED,
            400,
            "invalid_request_error",
            "`temperature` is deprecated for this model.",
            0),
        anthropic(
            Kind.UNSUPPORTED,
            400,
            "invalid_request_error",
            "This model does not support the effort parameter.",
            0),
        anthropic(
            Kind.UNSUPPORTED,
            400,
            "invalid_request_error",
            "max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for m",
            0),
        openAi(
            Kind.UNSUPPORTED,
            400,
            "invalid_value",
            "max_tokens is too large: 20000. This model supports at most 16384 completion tokens",
            0),
        openAi(Kind.NOT_FOUND, 400, "model_not_found", "No such model", 0),
        anthropic(Kind.NOT_FOUND, 404, "not_found_error", "model: claude-9", 0),
        openAi(Kind.DENIED, 429, "insufficient_quota", "You exceeded your quota", 0),
        body(
            Kind.DENIED,
            429,
            "{\"error\":{\"message\":\"No\",\"type\":\"insufficient_quota\",\"code\":null}}",
            0),
        openAi(Kind.DENIED, 429, "credit_balance_exhausted", "No money", 0),
        openAi(Kind.DENIED, 400, "billing_hard_limit_reached", "No money", 0),
        openAi(Kind.DENIED, 401, "invalid_api_key", "Bad key", 0),
        anthropic(Kind.DENIED, 401, "authentication_error", "invalid x-api-key", 0),
        anthropic(Kind.DENIED, 402, "billing_error", "No money", 0),
        anthropic(Kind.DENIED, 403, "permission_error", "No", 0),
        anthropic(
            Kind.DENIED, 400, "invalid_request_error", "Your credit balance is too low to use", 0),
        anthropic(
            Kind.DENIED,
            400,
            "invalid_request_error",
            "You have reached your specified API usage limits. You will regain access later.",
            0),
        openAi(Kind.RATE_LIMITED, 429, "rate_limit_exceeded", "Slow down", 0),
        anthropic(Kind.RATE_LIMITED, 429, "rate_limit_error", "Slow down", 0),
        openAi(Kind.UNAVAILABLE, 500, "server_error", "Oh", 0),
        openAi(Kind.UNAVAILABLE, 429, "server_is_overloaded", "Oh", 0),
        openAi(Kind.UNAVAILABLE, 429, "slow_down", "Oh", 0),
        anthropic(Kind.UNAVAILABLE, 500, "api_error", "Oh", 0),
        anthropic(Kind.UNAVAILABLE, 529, "overloaded_error", "Oh", 0),
        anthropic(Kind.UNAVAILABLE, 504, "timeout_error", "Oh", 0),
        openAi(Kind.FILTERED, 400, "invalid_prompt", "No", 0),
        openAi(Kind.FILTERED, 400, "bio_policy", "No", 0),
        openAi(Kind.FILTERED, 400, "misalignment_policy_violation", "No", 0),
        openAi(Kind.FILTERED, 400, "image_content_policy_violation", "No", 0),
        openAi(Kind.FILTERED, 400, "content_filter", "No", 0),
        openAi(Kind.REFUSED, 400, "", "The request is odd", 0),
        anthropic(Kind.REFUSED, 400, "invalid_request_error", "messages: odd", 0));
  }

  private static Arguments openAi(Kind kind, int status, String code, String said, int window) {
    String json =
        "{\"error\":{\"message\":\"%s\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":%s}}"
            .formatted(said, code.isEmpty() ? "null" : "\"" + code + "\"");
    return body(kind, status, json, window);
  }

  private static Arguments anthropic(Kind kind, int status, String type, String said, int window) {
    String json =
        "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":\"%s\"}}".formatted(type, said);
    return body(kind, status, json, window);
  }

  private static Arguments body(Kind kind, int status, String json, int window) {
    return Arguments.of(kind, status, json, window);
  }

  @ParameterizedTest
  @MethodSource("causes")
  void findsTheSameCauseInAnAnswerAndInAnEvent(Kind kind, int status, String json, int window) {
    for (ModelException failure :
        List.of(
            FAILURES.status(status, UNSTATED, json),
            FAILURES.reported(FAILURES.json(json)),
            FAILURES.reportedEvent(json))) {
      assertThat(failure.kind()).isEqualTo(kind);
      assertThat(failure.window()).isEqualTo(window);
      assertThat(failure.passing()).isEqualTo(kind.passing());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "401,DENIED", "402,DENIED", "403,DENIED", "404,NOT_FOUND", "408,UNAVAILABLE",
    "409,UNAVAILABLE", "413,TOO_LONG", "429,RATE_LIMITED", "500,UNAVAILABLE", "503,UNAVAILABLE",
    "529,UNAVAILABLE", "400,REFUSED", "405,REFUSED", "418,REFUSED", "422,REFUSED"
  })
  void readsTheStatusWhereThereIsNoCode(int status, Kind kind) {
    assertThat(FAILURES.status(status, UNSTATED, "No").kind()).isEqualTo(kind);
    String json = "{\"error\":{\"code\":" + status + ",\"message\":\"No\"}}";
    assertThat(FAILURES.reported(FAILURES.json(json)).kind()).isEqualTo(kind);
    String quoted = "{\"error\":{\"code\":\"" + status + "\",\"message\":\"No\"}}";
    assertThat(FAILURES.reported(FAILURES.json(quoted)).kind()).isEqualTo(kind);
  }

  @Test
  void readsTheStatusOfOtherServices() {
    String json = "{\"error\":{\"code\":8,\"message\":\"No\",\"status\":\"RESOURCE_EXHAUSTED\"}}";

    assertThat(FAILURES.reported(FAILURES.json(json)).kind()).isEqualTo(Kind.RATE_LIMITED);
    assertThat(FAILURES.reportedEvent("no JSON").kind()).isEqualTo(Kind.BROKEN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"99999999999999999999", ",", "0"})
  void ignoresAWindowThatIsNone(String number) {
    String said = "maximum context length is " + number + " tokens";

    assertThat(FAILURES.status(400, UNSTATED, said).kind()).isEqualTo(Kind.TOO_LONG);
    assertThat(FAILURES.status(400, UNSTATED, said).window()).isZero();
    String json = "{\"error\":{\"type\":\"exceed_context_size_error\",\"n_ctx\":-5}}";
    assertThat(FAILURES.reportedEvent(json).window()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | {'error':{'code':'unsupported_value','param':'reasoning.effort','message':'No'}} |"
            + " Change or remove the model's 'reasoning'.",
        "400 | {'error':{'code':'unknown_parameter','param':'top_k','message':'No'}} | Change or"
            + " remove the model's 'options.top_k'.",
        "400 | {'error':{'message':'`temperature` is not supported for this model.'}} | Change or"
            + " remove the model's 'temperature'.",
        "400 | {'error':{'message':'max_tokens: 9 > 8, which is the maximum allowed number of"
            + " output tokens'}} | Change or remove the model's 'max_tokens'.",
        "400 | {'error':{'code':'unsupported_value','message':'No'}} | Change or remove that option"
            + " of the model.",
        "400 | {'error':{'message':'Function tools with reasoning_effort are not supported'}} | Set"
            + " the model's 'api' to \"responses\", or its 'reasoning' to \"none\".",
        "413 | {'error':{'message':'No'}} | State the model's 'window', so that earlier messages"
            + " are left out in time.",
        "402 | {'error':{'message':'No'}} | Check the plan and the bills of the account.",
        "429 | {'error':{'code':'insufficient_quota','message':'No'}} | Check the plan and the"
            + " bills of the account.",
        "403 | {'error':{'message':'No'}} | Check its API key.",
        "405 | {'error':{'message':'No'}} | Check the base_url.",
        "307 | {'error':{'message':'No'}} | Check the base_url: redirects are not followed."
      })
  void saysWhatToDo(int status, String json, String remedy) {
    ModelException failure = FAILURES.status(status, UNSTATED, json.replace('\'', '"'));

    assertThat(failure).hasMessageEndingWith(". " + remedy);
  }

  @Test
  void namesTheModelThatReplacesARetiredOne() {
    Failures retired = new Failures("openai:gpt-4.1-mini-2025-04-14", "host", KEY, "SOME_KEY");

    assertThat(retired.status(404, UNSTATED, "No"))
        .hasMessageEndingWith(" answered 404: No. It is retired: use 'gpt-6-luna'.");
  }

  @Test
  void doesAsTheProviderSaysOfARetry() {
    Retry retry = new Retry(Duration.ofSeconds(7), true);

    assertThat(FAILURES.status(400, retry, "No").passing()).isTrue();
    assertThat(FAILURES.status(400, retry, "No").retryAfter()).isEqualTo(Duration.ofSeconds(7));
    assertThat(FAILURES.status(400, UNSTATED, "No").passing()).isFalse();
    assertThat(FAILURES.status(503, new Retry(null, false), "No").passing()).isFalse();
    assertThat(FAILURES.status(503, new Retry(null, false), "No").kind())
        .isEqualTo(Kind.UNAVAILABLE);
  }

  @ParameterizedTest
  @CsvSource({"1500,7,1500", "1500.75,,1500", "-1,7,7000", "soon,7,7000", ",7,7000"})
  void waitsForTheMillisecondsFirst(@Nullable String millis, @Nullable String seconds, int wait) {
    Response.Builder response =
        new Response.Builder()
            .request(new Request.Builder().url("http://localhost/").build())
            .protocol(Protocol.HTTP_1_1)
            .code(429)
            .message("");
    if (millis != null) {
      response.header("retry-after-ms", millis);
    }
    if (seconds != null) {
      response.header("Switchboard-Retry-After", seconds);
    }

    assertThat(Retry.of(response.build()).after()).isEqualTo(Duration.ofMillis(wait));
  }
}
