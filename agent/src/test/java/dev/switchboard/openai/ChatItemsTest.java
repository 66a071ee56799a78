package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What chat completions need back of a reply beside its words and calls.
class ChatItemsTest {
  private static final String THOUGHT =
      "\"reasoning_content\":\"Hm.\",\"extra_content\":{\"google\":{\"x\":1}}";
  private static final String CALL =
      "\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"a\","
          + "\"arguments\":\"{}\"},\"extra_content\":{\"google\":{\"thought_signature\":\"S\"}}}]";

  private final StubWebhook server = StubWebhook.start();
  private final List<Message> messages = new ArrayList<>();
  private final List<String> dropped = new ArrayList<>();
  private ChatModel model = model("m");

  @AfterEach
  void close() {
    server.close();
  }

  private ChatModel model(String name) {
    return OpenAiModel.of(name, ModelOptions.builder().baseUrl(server.url("/v1")).build());
  }

  private void answers(String members) {
    server.answer(
        200, "{\"choices\":[{\"message\":{\"content\":\"Hi.\"" + members(members) + "}}]}");
  }

  private static String members(String more) {
    return more.isEmpty() ? "" : "," + more;
  }

  private void refuses(String message) {
    server.answer(400, "{\"error\":{\"message\":\"" + message + "\"}}");
  }

  private ModelReply next() {
    ReplyStream stream = ReplyStream.unheard();
    stream.onDropped(dropped::add);
    ModelReply reply = model.reply(ModelRequest.of().withMessages(messages), stream);
    add(reply);
    return reply;
  }

  private void add(ModelReply reply) {
    messages.add(new Message.Assistant(reply.text(), reply.calls(), reply.items()));
    reply
        .calls()
        .forEach(call -> messages.add(new Message.Result(call.id(), call.name(), "1", true)));
  }

  /// The messages of the model in a request.
  private List<JsonNode> said(int request) {
    return server
        .requests()
        .get(request)
        .json()
        .tree()
        .path("messages")
        .valueStream()
        .filter(message -> message.path("role").asString("").equals("assistant"))
        .toList();
  }

  @Test
  void keepsReasoningAndExtraContentAndSendsThemBack() {
    answers(THOUGHT + members(CALL));
    answers("");
    messages.add(new Message.User("Hi"));
    ModelReply reply = next();
    next();

    assertThat(Objects.requireNonNull(reply.items()).by()).isEqualTo("chat/127.0.0.1/m");
    assertThat(reply.items().entries())
        .extracting(Json::tree)
        .containsExactly(
            Json.text(
                    "{\"item\":{\"extra_content\":{\"google\":{\"x\":1}},"
                        + "\"reasoning_content\":\"Hm.\"}}")
                .tree(),
            Json.text("{\"text\":3}").tree(),
            Json.text("{\"call\":0}").tree());
    JsonNode sent = said(1).getFirst();
    assertThat(sent.path("reasoning_content").asString()).isEqualTo("Hm.");
    assertThat(sent.at("/extra_content/google/x").asInt()).isEqualTo(1);
    assertThat(sent.at("/tool_calls/0/extra_content/google/thought_signature").asString())
        .isEqualTo("S");
  }

  @Test
  void joinsReasoningThatIsStreamed() {
    server.answer(
        StubAnswer.of(
                200,
                """
                data: {"choices":[{"delta":{"reasoning_content":"H"}}]}

                data: {"choices":[{"delta":{"reasoning_content":"m.","extra_content":{"a":1}}}]}

                data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":5,"completion_tokens_details":{"reasoning_tokens":4}}}

                data: [DONE]

                """)
            .contentType("text/event-stream"));
    ModelReply reply =
        model.reply(ModelRequest.of(new Message.User("Hi")), new ReplyStream(words -> {}));

    assertThat(reply.text()).isEqualTo("Hi.");
    assertThat(Objects.requireNonNull(reply.items()).entries().getFirst().tree())
        .isEqualTo(
            Json.text("{\"item\":{\"extra_content\":{\"a\":1},\"reasoning_content\":\"Hm.\"}}")
                .tree());
    assertThat(reply.usage().reasoning()).isEqualTo(4);
  }

  @Test
  void sendsThemToTheSameModelAlone() {
    answers(THOUGHT + members(CALL));
    answers("");
    messages.add(new Message.User("Hi"));
    next();
    model = model("other");
    next();

    assertThat(said(1).getFirst().propertyNames())
        .containsExactlyInAnyOrder("role", "content", "tool_calls");
    assertThat(said(1).getFirst().at("/tool_calls/0").has("extra_content")).isFalse();
  }

  @Test
  void sendsNothingOfACallFromBeforeABoundary() {
    answers(THOUGHT + members(CALL));
    answers("");
    messages.add(new Message.User("Hi"));
    next();
    messages.replaceAll(
        message -> message instanceof Message.Assistant said ? said.withoutItems() : message);
    model = model("other");
    next();

    assertThat(server.requests().get(1).body())
        .doesNotContain("extra_content", "reasoning_content");
  }

  @Test
  void sendsTheExtraOfOlderLines() {
    answers("");
    messages.add(new Message.User("Hi"));
    RequestedCall call =
        new RequestedCall("c1", "a", Json.EMPTY_OBJECT, Json.text("{\"extra_content\":{\"a\":1}}"));
    messages.add(new Message.Assistant("", List.of(call)));
    messages.add(new Message.Result("c1", "a", "1", true));
    next();

    assertThat(said(0).getFirst().at("/tool_calls/0/extra_content/a").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'messages.1' : property 'reasoning_content' is unsupported",
        "Unrecognized request argument: reasoning_content",
        "Extra inputs are not permitted: messages.1.reasoning_content"
      })
  void sendsNoReasoningAgainWhereItIsRefused(String refusal) {
    answers(THOUGHT);
    refuses(refusal);
    answers(THOUGHT);
    answers(THOUGHT);
    messages.add(new Message.User("Hi"));
    next();
    ModelReply fresh = next();
    next();

    assertThat(server.requests()).hasSize(4);
    assertThat(dropped).containsExactly("refused");
    assertThat(Objects.requireNonNull(fresh.items()).fresh()).isTrue();
    assertThat(server.requests().get(2).body()).doesNotContain("reasoning_content");
    assertThat(server.requests().get(3).body())
        .doesNotContain("reasoning_content")
        .contains("extra_content");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Missing `reasoning_content` field in the assistant message at index 1.",
        "The `reasoning_content` in the thinking mode must be passed back to the API.",
        "thinking is enabled but reasoning_content is missing in assistant tool call message"
      })
  void sendsAPlaceholderWhereReasoningIsDemanded(String refusal) {
    messages.add(new Message.User("Hi"));
    add(ModelReply.calls(RequestedCall.of("c1", "a", "{}"))); // of the runtime
    add(ModelReply.text("Bye.")); // of before a boundary
    refuses(refusal);
    answers(THOUGHT);
    answers("");
    next();
    next();

    assertThat(server.requests()).hasSize(3);
    assertThat(reasoning(0)).containsExactly("none", "none");
    assertThat(reasoning(1)).containsExactly(" ", " ");
    assertThat(reasoning(2)).containsExactly(" ", " ", "Hm.");
    assertThat(dropped).isEmpty();
  }

  @Test
  void asksAServerThatDemandsAndRefusesReasoningOnceForEach() {
    for (int i = 0; i < 2; i++) {
      refuses("Missing `reasoning_content` field in the assistant message at index 1.");
      refuses("'reasoning_content' is unsupported");
    }
    messages.add(new Message.User("Hi"));
    add(ModelReply.text("Hi."));

    assertThatThrownBy(this::next)
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("Missing");
    assertThat(server.requests()).hasSize(3);
    assertThat(reasoning(1)).containsExactly(" ");
    assertThat(reasoning(2)).containsExactly("none");
  }

  private List<String> reasoning(int request) {
    return said(request).stream()
        .map(message -> message.path("reasoning_content").asString("none"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Invalid thought signature.", "Corrupted thought signature."})
  void leavesOutSignaturesThatAreRefused(String refusal) {
    answers(CALL);
    refuses(refusal);
    refuses("Function call is missing a thought_signature in functionCall parts.");
    answers(CALL.replace("\"S\"", "\"T\""));
    answers("");
    messages.add(new Message.User("Hi"));
    next();
    next();
    next();

    assertThat(server.requests()).hasSize(5);
    assertThat(dropped).containsExactly("refused");
    assertThat(said(2).getFirst().at("/tool_calls/0").has("extra_content")).isFalse();
    assertThat(signatures(said(3))).containsExactly("skip_thought_signature_validator");
    assertThat(signatures(said(4))).containsExactly("skip_thought_signature_validator", "T");
  }

  private static List<String> signatures(List<JsonNode> said) {
    return said.stream()
        .flatMap(message -> message.path("tool_calls").valueStream())
        .map(call -> call.at("/extra_content/google/thought_signature").asString("none"))
        .toList();
  }

  @Test
  void replacesSignaturesThatAreMissing() {
    refuses("Function call is missing a thought_signature in functionCall parts.");
    answers("");
    answers("");
    messages.add(new Message.User("Hi"));
    add(ModelReply.calls(RequestedCall.of("c1", "a", "{}"), RequestedCall.of("c2", "a", "{}")));
    Json extra = Json.text("{\"extra_content\":{\"google\":{\"thought_signature\":\"S\"}}}");
    add(
        ModelReply.calls(
            new RequestedCall("c3", "a", Json.EMPTY_OBJECT, extra),
            RequestedCall.of("c4", "a", "{}")));
    next();
    next();

    String none = "skip_thought_signature_validator";
    assertThat(signatures(said(0))).containsExactly("none", "none", "S", "none");
    assertThat(signatures(said(1))).containsExactly(none, none, "S", "none");
    assertThat(signatures(said(2))).containsExactly(none, none, "S", "none");
    assertThat(extra.text()).doesNotContain(none);
    assertThat(dropped).isEmpty();
  }

  @Test
  void sendsOpenAiItselfNothing() {
    Message said =
        new Message.Assistant(
            "Hi.",
            List.of(),
            ProviderItems.of(
                "chat/h/m",
                List.of(Json.text("{\"item\":{" + THOUGHT + "}}"), Json.text("{\"text\":3}"))));
    ChatRequest own =
        new ChatRequest(
            "m",
            ModelOptions.builder().build(),
            true,
            false,
            "chat/h/m",
            ChatRequest.Reasoning.KEPT,
            false);

    assertThat(own.of(ModelRequest.of(said)).text()).doesNotContain("_content");
  }
}
