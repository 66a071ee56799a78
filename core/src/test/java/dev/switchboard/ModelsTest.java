package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.StubWebhook;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ModelsTest {
  private static final Models MODELS =
      new Models(Map.of("OPENAI_API_KEY", "sk-openai", "MY_KEY", "sk-mine")::get);
  private static final String REPLY =
      "{\"choices\":[{\"message\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}";

  @Test
  void theKeyOfAProviderGoesToNobodyElse() {
    assertThat(keySent(null)).isNull();
    assertThat(keySent("MY_KEY")).isEqualTo("Bearer sk-mine");
    assertThat(keySent("OPENAI_API_KEY")).isEqualTo("Bearer sk-openai");
    assertThatThrownBy(() -> keySent("NO_KEY")).hasMessageContaining("NO_KEY");
  }

  @Test
  void temperatureAndLimitOfTokensAreSentOnlyWhereTheyAreSet() {
    for (String provider : List.of("openai", "anthropic")) {
      JsonNode usual = sent(new ModelSettings(provider, "m", "http://x", null));
      JsonNode set = sent(new ModelSettings(provider, "m", "http://x", null, 0.5, 200));

      assertThat(usual.has("temperature")).isFalse();
      assertThat(usual.path("max_tokens").asInt(0)).isNotEqualTo(200);
      assertThat(set.path("temperature").asDouble()).isEqualTo(0.5);
      assertThat(set.path("max_tokens").asInt()).isEqualTo(200);
    }
  }

  private static JsonNode sent(ModelSettings settings) {
    try (StubWebhook server = StubWebhook.start()) {
      server.answer(400, "{}");
      ModelSettings there =
          new ModelSettings(
              settings.provider(),
              settings.name(),
              server.url() + "v1",
              null,
              settings.temperature(),
              settings.maxTokens());
      assertThatThrownBy(() ->
              MODELS
                  .of(there)
                  .reply(ModelRequest.of(new Message.User("Hi")), ReplyStream.unheard()))
          .isInstanceOf(ModelException.class);
      return server.requests().getFirst().json().tree();
    }
  }

  private static @Nullable String keySent(@Nullable String variable) {
    try (StubWebhook server = StubWebhook.start()) {
      server.answer(200, REPLY);
      String url = server.url() + "v1";
      var unused =
          MODELS
              .of(new ModelSettings("openai", "m", url, variable))
              .reply(ModelRequest.of(new Message.User("Hi")), ReplyStream.unheard());
      return server.requests().getFirst().header("Authorization");
    }
  }
}
