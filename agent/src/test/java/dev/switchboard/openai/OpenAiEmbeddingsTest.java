package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenAiEmbeddingsTest {
  private static final String TWO =
      "{\"data\":[{\"index\":1,\"embedding\":[0,1]},{\"index\":0,\"embedding\":[0.5,1e-3]}]}";

  private static OpenAiEmbeddings model(StubWebhook server) {
    ModelOptions options =
        ModelOptions.builder().key(ApiKey.of("sk-secret-key")).baseUrl(server.url() + "v1").build();
    return OpenAiEmbeddings.of("ollama", "nomic", 0.5, options);
  }

  @Test
  void asksForAllTextsAtOnceAndKeepsTheirOrder() {
    try (StubWebhook server = StubWebhook.start()) {
      server.answer(request -> StubAnswer.of(200, TWO));

      assertThat(model(server).of(List.of("one", "two")))
          .satisfiesExactly(
              first -> assertThat(first).containsExactly(0.5f, 1e-3f),
              second -> assertThat(second).containsExactly(0, 1));
      assertThat(server.requests())
          .singleElement()
          .satisfies(request -> {
            assertThat(request.path()).isEqualTo("/v1/embeddings");
            assertThat(request.json().text())
                .isEqualTo(
                    "{\"model\":\"nomic\",\"encoding_format\":\"float\",\"input\":[\"one\",\"two\"]}");
            assertThat(request.header("Authorization")).isEqualTo("Bearer sk-secret-key");
          });
      assertThat(model(server).name()).isEqualTo("ollama:nomic");
      assertThat(model(server).leastSimilarity()).isEqualTo(0.5);
    }
  }

  @Test
  void anAnswerThatMakesNoSenseIsAFailureThatNamesTheModel() {
    for (String odd :
        List.of(
            "{\"data\":[{\"index\":0,\"embedding\":[1]}]}",
            "{\"data\":[{\"embedding\":[1]},{\"embedding\":[\"x\"]}]}",
            "{\"data\":[]}",
            "no JSON")) {
      try (StubWebhook server = StubWebhook.start()) {
        server.answer(request -> StubAnswer.of(200, odd));
        assertThatThrownBy(() -> model(server).of(List.of("private text", "two")))
            .as(odd)
            .isInstanceOf(ModelException.class)
            .hasMessageContaining("model 'ollama:nomic'")
            .hasMessageContaining("sent ")
            .hasMessageNotContaining("private")
            .hasMessageNotContaining("sk-secret");
      }
    }
  }

  @Test
  void namesTheBaseUrlWhereAnotherServiceAnswers() {
    for (String odd : List.of("{}", "[]", "{\"choices\":[]}", "<html></html>")) {
      try (StubWebhook server = StubWebhook.start()) {
        server.answer(request -> StubAnswer.of(200, odd));
        assertThatThrownBy(() -> model(server).of(List.of("private text")))
            .as(odd)
            .isInstanceOfSatisfying(
                ModelException.class,
                e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.DENIED))
            .hasMessageContaining("model 'ollama:nomic'")
            .hasMessageEndingWith(": check base_url.");
      }
    }
  }

  @Test
  void oddSettingsAreRefused() {
    ModelOptions options = ModelOptions.of(ApiKey.of("k"));
    assertThatThrownBy(() -> OpenAiEmbeddings.of("openai", " ", 0.3, options))
        .isInstanceOf(IllegalArgumentException.class);
    for (double bad : List.of(-0.1, 1.1, Double.NaN)) {
      assertThatThrownBy(() -> OpenAiEmbeddings.of("openai", "m", bad, options))
          .hasMessageContaining("between 0 and 1");
    }
  }
}
