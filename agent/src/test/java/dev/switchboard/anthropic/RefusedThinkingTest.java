package dev.switchboard.anthropic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The API refuses what the model has thought before, since something before it has changed.
class RefusedThinkingTest {
  private static final String BY = "anthropic/127.0.0.1/m";
  private static final String REFUSAL =
      "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"%s\"}}";
  private static final String BOUND =
      "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a"
          + " different conversation. Remove the block.";

  private final List<String> dropped = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(
      strings = {
        BOUND,
        "messages.1.content.0: Invalid `signature` in `redacted_thinking` block",
        "messages.1.content.0: Invalid 'signature' in 'thinking' block",
        "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant"
            + " message cannot be modified.",
        "messages.1: The final block in an assistant message cannot be `thinking`."
      })
  void isAskedOnceMoreWithoutIt(String message) {
    try (StubWebhook server =
        StubWebhook.start()
            .answer(StubAnswer.of(400, REFUSAL.formatted(message)))
            .answer(StubAnswer.of(200, answer("Hi")))) {
      ModelReply reply = reply(server, request(thought(BY)));

      assertThat(reply.text()).isEqualTo("Hi");
      assertThat(Objects.requireNonNull(reply.items()).fresh()).isTrue();
      assertThat(dropped).containsExactly("refused");
      assertThat(body(server, 0)).contains("\"signature\":\"old\"");
      assertThat(body(server, 1)).doesNotContain("thinking").contains("Hello");
    }
  }

  @Test
  void laterRequestsHaveOnlyWhatTheModelThoughtSince() {
    Message.Assistant fresh = new Message.Assistant("Yes", List.of(), thought(BY, "new").freshly());
    Message.Assistant since = new Message.Assistant("Yes", List.of(), thought(BY, "newer"));
    try (StubWebhook server = StubWebhook.start().answer(StubAnswer.of(200, answer("Hi")))) {
      ModelReply reply =
          reply(
              server,
              ModelRequest.of(
                  new Message.User("Hello"),
                  new Message.Assistant("Yes", List.of(), thought(BY)),
                  new Message.User("And?"),
                  fresh,
                  new Message.User("And?"),
                  since,
                  new Message.User("And?")));

      assertThat(Objects.requireNonNull(reply.items()).fresh()).isFalse();
      assertThat(body(server, 0))
          .doesNotContain("\"old\"")
          .contains("\"signature\":\"new\"", "\"signature\":\"newer\"");
    }
  }

  @Test
  void isNotAskedAgainWithoutItemsOrForAnotherReason() {
    assertThat(failure(request(thought("anthropic/127.0.0.1/other")), 400, BOUND)).isOne();
    assertThat(failure(request(thought(BY)), 400, "messages: odd")).isOne();
    assertThat(failure(request(thought(BY)), 500, BOUND)).isOne();
    assertThat(failure(request(thought(BY)), 400, BOUND)).isEqualTo(2);
    assertThat(dropped).isEmpty();
  }

  /// The number of requests to a server that refuses all.
  private int failure(ModelRequest request, int status, String message) {
    try (StubWebhook server =
        StubWebhook.start().answer(StubAnswer.of(status, REFUSAL.formatted(message)))) {
      ModelException failure =
          catchThrowableOfType(ModelException.class, () -> reply(server, request));

      assertThat(failure.kind()).isEqualTo(status == 400 ? Kind.REFUSED : Kind.UNAVAILABLE);
      return server.requests().size();
    }
  }

  private ModelReply reply(StubWebhook server, ModelRequest request) {
    ReplyStream stream = new ReplyStream(text -> {});
    stream.onDropped(dropped::add);
    return AnthropicModel.of("m", ModelOptions.builder().baseUrl(server.url()).build())
        .reply(request, stream);
  }

  private static ModelRequest request(ProviderItems items) {
    return ModelRequest.of(
        new Message.User("Hello"),
        new Message.Assistant("Yes", List.of(), items),
        new Message.User("And?"));
  }

  private static ProviderItems thought(String by) {
    return thought(by, "old");
  }

  private static ProviderItems thought(String by, String signature) {
    String thinking =
        "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"" + signature + "\"}";
    return ProviderItems.of(
        by, List.of(Json.text("{\"item\":" + thinking + "}"), Json.text("{\"text\":3}")));
  }

  private static String answer(String words) {
    return """
    {"content":[{"type":"thinking","thinking":"","signature":"s"},{"type":"text","text":"%s"}],
     "stop_reason":"end_turn"}\
    """
        .formatted(words);
  }

  private static String body(StubWebhook server, int number) {
    return server.requests().get(number).json().text();
  }
}
