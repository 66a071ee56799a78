package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// What a client of OpenAI's chat completions demands of a stream.
final class ChatGrammar {
  private ChatGrammar() {}

  static void check(String stream) {
    List<JsonNode> chunks = Sse.data(stream);
    // One that failed is broken off instead of ended.
    boolean failed = chunks.getLast() != null && chunks.getLast().has("error");
    assertThat(failed || chunks.getLast() == null).isTrue();
    assertThat(delta(chunks.getFirst()).path("role").asString()).isEqualTo("assistant");
    boolean finished = false;
    boolean counted = false;
    for (JsonNode chunk : chunks.subList(0, chunks.size() - (failed ? 0 : 1))) {
      assertThat(counted).isFalse();
      if (chunk.has("error")) {
        assertThat(finished).isFalse();
        finished = true;
        counted = true;
      } else if (chunk.path("choices").isEmpty()) {
        assertThat(finished).isTrue();
        assertThat(chunk.path("usage").path("total_tokens").isNumber()).isTrue();
        counted = true;
      } else {
        assertThat(finished).isFalse();
        assertThat(chunk.path("object").asString()).isEqualTo("chat.completion.chunk");
        finished = chunk.path("choices").path(0).has("finish_reason");
        assertThat(delta(chunk).has("tool_calls")).isFalse();
      }
    }
    assertThat(counted).isTrue();
  }

  private static JsonNode delta(JsonNode chunk) {
    return chunk.path("choices").path(0).path("delta");
  }
}
