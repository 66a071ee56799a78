package dev.switchboard.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.provider.ProviderContract;
import dev.switchboard.provider.ProviderPlace;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class AnthropicModelTest implements ProviderContract {
  @Override
  public ChatModel model(ModelOptions options) {
    return AnthropicModel.of("claude-haiku-4-5", options);
  }

  @Override
  public String whole() {
    return """
    {"type":"message","role":"assistant","content":[{"type":"text","text":"Hello there"}],
     "stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":2}}\
    """;
  }

  /// Without `message_stop`, which a reply does not need.
  @Override
  public List<String> events() {
    return List.of(
        """
        {"type":"message_start","message":{"content":[],"usage":{"input_tokens":9,"output_tokens":1}}}\
        """,
        """
        {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\
        """,
        "{\"type\":\"ping\"}",
        """
        {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}\
        """,
        """
        {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" there"}}\
        """,
        "{\"type\":\"content_block_stop\",\"index\":0}",
        """
        {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}\
        """);
  }

  @Override
  public String wordsEvent(String words) {
    return "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\""
        + words
        + "\"}}";
  }

  @Override
  public String errorEvent() {
    return """
    {"type":"error","error":{"type":"overloaded_error","message":"Too many people"}}\
    """;
  }

  @Override
  public JsonNode arguments(JsonNode request) {
    return request.at("/messages/1/content/0/input");
  }

  /// A window of a few tokens, which a server may state by mistake, would leave every message out.
  @ParameterizedTest
  @CsvSource({
    "190000,10000,200000",
    "900,100,1000",
    "900,99,0",
    "0,0,0",
    "9223372036854775807,9223372036854775807,2147483647"
  })
  void knowsItsWindowOnceAReplyHasFilledIt(long read, long written, int window) {
    StubAnswer full =
        StubAnswer.of(
            200,
            """
            {"type":"message","role":"assistant","content":[{"type":"text","text":"Once upon"}],
             "stop_reason":"model_context_window_exceeded",
             "usage":{"input_tokens":%d,"output_tokens":%d}}\
            """
                .formatted(read, written));
    try (StubWebhook server = ProviderPlace.serving(full)) {
      ChatModel model = at(server);
      assertThat(model.window()).isZero();
      assertThat(ProviderPlace.heard(model).finish()).isEqualTo(ModelReply.FinishReason.LENGTH);
      assertThat(model.window()).isEqualTo(window);
    }
  }

  @Override
  public boolean alwaysStreams() {
    return true;
  }

  @Override
  public String keyHeader() {
    return "x-api-key";
  }
}
