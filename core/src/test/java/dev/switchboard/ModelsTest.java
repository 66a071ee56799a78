package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.config.ModelSettings;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.StubWebhook;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
