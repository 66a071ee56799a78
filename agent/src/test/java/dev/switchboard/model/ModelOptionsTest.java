package dev.switchboard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.provider.ProviderContract;
import dev.switchboard.testing.StubWebhook;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelOptionsTest {
  @Test
  void aKeyLosesWhatIsNotPartOfItAtItsEnds() {
    assertThat(ApiKey.of("\ufeff\u0000 \tsk-1\u00a0\r\n").text()).isEqualTo("sk-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "sk-\n1", "sk 1", "sk-\u20ac", "sk-\u0007x"})
  void aKeyThatNoHeaderMayHoldIsRefusedUnquoted(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ApiKey.env("SOME_KEY", Map.of("SOME_KEY", text)))
        .withMessageStartingWith("environment variable 'SOME_KEY': an API key must not")
        .withMessageNotContaining("sk");
  }

  @Test
  void aVariableThatIsNotSetIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ApiKey.env("SOME_KEY", Map.of()))
        .withMessage("environment variable 'SOME_KEY' is not set");
  }

  @Test
  void limitsHaveARange() {
    assertThatCode(() -> builder().temperature(0).build()).doesNotThrowAnyException();
    assertThatCode(() -> builder().temperature(2).build()).doesNotThrowAnyException();
    assertThatIllegalArgumentException().isThrownBy(() -> builder().temperature(2.1).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().temperature(Double.NaN).build());
    assertThatCode(() -> builder().maxTokens(1).build()).doesNotThrowAnyException();
    assertThatIllegalArgumentException().isThrownBy(() -> builder().maxTokens(0).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().idleLimit(Duration.ZERO).build())
        .withMessageContaining("idle");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().totalLimit(Duration.ofDays(2)).build())
        .withMessageContaining("total");
  }

  @Test
  void headersGoOutAndShowNowhere() {
    ModelOptions options = builder().header("X-Team", "secret-team").build();

    assertThat(options.toString()).contains("X-Team").doesNotContain("secret-team");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().header("X-Team", "a\nb").build())
        .withMessageContaining("X-Team");
    try (StubWebhook server =
        StubWebhook.start().answer(200, "{\"choices\":[{\"message\":{\"content\":\"Hi\"}}]}")) {
      ModelOptions here =
          builder().header("X-Team", "secret-team").baseUrl(server.url("/v1?a=b")).build();
      OpenAiModel.of("m", here)
          .reply(ProviderContract.HELLO, dev.switchboard.model.ReplyStream.unheard());
      assertThat(server.requests().getFirst().header("x-team")).isEqualTo("secret-team");
      assertThat(server.requests().getFirst().path()).isEqualTo("/v1/chat/completions?a=b");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost:11434/v1", "ftp://host/", "http://user:pw@host/v1"})
  void aBaseUrlThatIsNoneIsRefusedWhenTheModelIsMade(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenAiModel.of("m", builder().baseUrl(url).build()))
        .withMessageContaining("base_url");
  }

  @Test
  void aModelNeedsAName() {
    assertThatIllegalArgumentException().isThrownBy(() -> OpenAiModel.of(" ", builder().build()));
    assertThat(OpenAiModel.of("gpt-4.1-mini", builder().build()).name())
        .isEqualTo("openai:gpt-4.1-mini");
  }

  private static ModelOptions.Builder builder() {
    return ModelOptions.builder();
  }
}
