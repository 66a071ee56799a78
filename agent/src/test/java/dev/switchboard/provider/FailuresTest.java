package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ModelException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {
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
    assertThat(FAILURES.status(404, null, body))
        .hasMessage(
            "model 'm' at host answered 404: No such model. Check the name of the model and the"
                + " base_url.");
  }

  @Test
  void doesWithoutAMessage() {
    assertThat(FAILURES.status(502, null, "<html>Bad gateway</html>"))
        .hasMessage("model 'm' at host answered 502.");
    assertThat(FAILURES.status(500, null, "")).hasMessage("model 'm' at host answered 500.");
  }

  @Test
  void saysHowAKeyIsGivenWhereNoneWas() {
    Failures without = new Failures("m", "host", null, "OPENAI_API_KEY");

    assertThat(without.status(401, null, ""))
        .hasMessage(
            "model 'm' at host answered 401. Give it an API key: api_key_env names its variable,"
                + " such as OPENAI_API_KEY.");
  }

  @Test
  void cutsTheKeyOutBeforeItCutsTheMessage() {
    String text = "x".repeat(490) + " " + KEY.text();

    assertThat(FAILURES.status(400, null, text))
        .hasMessageContaining("x ***")
        .hasMessageNotContaining("sk-");
    assertThat(FAILURES.status(400, null, "{\"error\":\"sk-0123456789\\/+ is wrong\"}"))
        .hasMessageContaining("*** is wrong")
        .hasMessageNotContaining("sk-");
  }

  @Test
  void neverCutsACharacterInTwo() {
    String message = FAILURES.status(400, null, "\ud83d\ude00".repeat(600)).getMessage();

    assertThat(message.codePointCount(0, message.length())).isLessThan(560);
    assertThat(message.codePoints().noneMatch(c -> c >= 0xd800 && c < 0xe000)).isTrue();
  }

  @Test
  void saysOnceThatAnAnswerIsNotJson() {
    assertThatThrownBy(() -> FAILURES.json("{\"choices\":"))
        .hasMessageStartingWith("model 'm' at host sent something that is not JSON: it ends")
        .hasMessageEndingWith(".");
  }

  @ParameterizedTest
  @CsvSource({
    "RESOURCE_EXHAUSTED,RATE_LIMITED",
    "503,UNAVAILABLE",
    "429,RATE_LIMITED",
    "400,REFUSED"
  })
  void readsCodesOfManyKinds(String code, Kind kind) {
    String json = "{\"error\":{\"code\":\"" + code + "\",\"message\":\"No\"}}";

    assertThat(FAILURES.reported(FAILURES.json(json)).kind()).isEqualTo(kind);
  }
}
