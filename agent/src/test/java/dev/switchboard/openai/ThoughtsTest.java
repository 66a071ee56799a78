package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Thoughts whose opening tag is part of the server's prompt.
class ThoughtsTest {
  private static final ModelRequest HELLO =
      new ModelRequest(List.of(new Message.User("Hello")), List.of(), ModelRequest.ToolChoice.AUTO);

  private final StubWebhook server = StubWebhook.start();
  private final StringBuilder streamed = new StringBuilder();

  @AfterEach
  void close() {
    server.close();
  }

  private ChatModel model(boolean thinksFirst) {
    return OpenAiModel.of(
        "m", ModelOptions.builder().baseUrl(server.url("/v1/")).thinksFirst(thinksFirst).build());
  }

  private String whole(ChatModel model, String said) {
    server.answer(
        StubAnswer.of(
            200,
            Json.of(Map.of("choices", List.of(Map.of("message", Map.of("content", said)))))
                .text()));
    return model.reply(HELLO, ReplyStream.unheard()).text();
  }

  private String streamed(ChatModel model, String said, int size, String finish) {
    streamed.setLength(0);
    String body =
        IntStream.range(0, Math.ceilDiv(said.length(), size))
            .mapToObj(i -> said.substring(i * size, Math.min(said.length(), (i + 1) * size)))
            .map(part -> Map.of("choices", List.of(Map.of("delta", Map.of("content", part)))))
            .map(chunk -> "data: " + Json.of(chunk).text() + "\n\n")
            .collect(Collectors.joining());
    String end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"" + finish + "\"}]}\n\n";
    server.answer(
        StubAnswer.of(200, body + end + "data: [DONE]\n\n").contentType("text/event-stream"));
    return model.reply(HELLO, new ReplyStream(streamed::append)).text();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'Hm. Say yes.\n</think>\n\nYes.'|Yes.",
        "Hm.</thinking> Yes </think>.|Yes </think>.",
        "Hm.</think>|''",
        "Write `</think>` at the end.|Write `</think>` at the end.",
        "Hm, `</think>`?</think>Yes.|Yes.",
        "No <think>x</think>.|No <think>x</think>.",
        "<think>Hm.</think>Yes </think>.|Yes </think>."
      })
  void whatIsBeforeAClosingTagIsThought(String said, String answer) {
    assertThat(whole(model(false), said)).isEqualTo(answer);
    for (int size = 1; size < 12; size++) {
      assertThat(streamed(model(true), said, size, "stop")).isEqualTo(answer);
      assertThat(streamed).hasToString(answer);
    }
  }

  @Test
  void streamsNothingBeforeExpectedThoughtsEnd() {
    ChatModel model = model(true);

    assertThat(streamed(model, "No thoughts.", 3, "stop")).isEqualTo("No thoughts.");
    assertThat(streamed).hasToString("No thoughts.");
    assertThat(streamed(model, "Hm, let me see", 3, "length")).isEmpty();
    assertThat(streamed).isEmpty();
  }

  @Test
  void aModelThatHasThoughtWithoutATagIsExpectedToAgain() {
    ChatModel model = model(false);

    assertThat(streamed(model, "Hm.\n</think>\nYes.", 4, "stop")).isEqualTo("Yes.");
    assertThat(streamed(model, "Hm.\n</think>\nNo.", 4, "stop")).isEqualTo("No.");
    assertThat(streamed).hasToString("No.");
  }

  @Test
  void aReplyWithoutThoughtsIsStreamedAsItComes() {
    assertThat(streamed(model(false), "Yes, of course.", 4, "stop")).isEqualTo("Yes, of course.");
    assertThat(streamed).hasToString("Yes, of course.");
  }
}
