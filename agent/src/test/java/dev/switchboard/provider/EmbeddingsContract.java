package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.memory.Embeddings;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiEmbeddings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Embeddings of a model server of others, live or recorded.
interface EmbeddingsContract {
  ModelServer.Source source();

  private static Embeddings model(ModelServer server) {
    ModelOptions options =
        ModelOptions.builder()
            .key(ApiKey.of("test-key"))
            .baseUrl(server.url() + "v1")
            .header(Aimock.TEST_ID, "embeddings")
            .build();
    return OpenAiEmbeddings.of("openai", "text-embedding-3-small", 0.3, options);
  }

  @Test
  default void aVectorForEachText() throws Exception {
    try (ModelServer server = source().open("embeddings/two")) {
      List<float[]> vectors = model(server).of(List.of("No dairy", "Nor eggs"));
      assertThat(vectors).hasSize(2);
      assertThat(vectors.getFirst()).containsExactly(0, 0.5f, -0.5f);
      assertThat(model(server).of(List.of("A table for two")).getFirst())
          .containsExactly(0.6f, 0.8f, 0);
    }
  }

  @Test
  default void aRefusalSaysWhy() {
    try (ModelServer server = source().open("embeddings/refused")) {
      assertThatThrownBy(() -> model(server).of(List.of("Too often")))
          .isInstanceOfSatisfying(
              ModelException.class,
              e -> {
                assertThat(e.kind()).isEqualTo(Kind.RATE_LIMITED);
                assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(3));
              })
          .hasMessageContaining("openai:text-embedding-3-small")
          .hasMessageContaining("You ask too often.");
    }
  }
}
