package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubResponses;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests of a conversation with a server that refuses what OpenAI does.
class ResponsesTalkTest {
  private static final ToolDefinition RATE =
      Tool.dynamic("get_rate").handler(arguments -> "1.2").definition();
  private static final ToolDefinition TIME =
      Tool.dynamic("get_time").handler(arguments -> "12").definition();

  private final StubResponses server = StubResponses.start();
  private final List<Message> messages = new ArrayList<>();
  private final List<String> dropped = new ArrayList<>();
  private ChatModel model = model("m");
  private List<ToolDefinition> tools = List.of(RATE);

  @AfterEach
  void close() {
    server.close();
  }

  private ChatModel model(String name) {
    return OpenAiModel.of(
        name, ModelOptions.builder().baseUrl(server.url()).api(ModelOptions.Api.RESPONSES).build());
  }

  /// Asks for the next reply, and answers its calls.
  private ModelReply next() {
    ReplyStream stream = new ReplyStream(words -> {});
    stream.onDropped(dropped::add);
    ModelReply reply =
        model.reply(
            new ModelRequest(messages, tools, ToolChoice.AUTO).declaring(List.of(RATE, TIME), "k"),
            stream);
    messages.add(new Message.Assistant(reply.text(), reply.calls(), reply.items()));
    reply
        .calls()
        .forEach(call -> messages.add(new Message.Result(call.id(), call.name(), "1.2", true)));
    return reply;
  }

  private void say(String words) {
    messages.add(new Message.User(words));
  }

  private List<String> types(int request) {
    return server
        .requests()
        .get(request)
        .tree()
        .path("input")
        .valueStream()
        .map(item -> item.path("type").asString(""))
        .toList();
  }

  @Test
  void goesOnWithItsReasoning() {
    server.says("Let me see.").and().calls("get_rate", "{}").says("1.2").says("Bye.");
    say("The rate?");
    next();
    tools = List.of(TIME); // another offer leaves what was sent as it was
    next();
    tools = List.of();
    say("Thanks.");
    ModelReply last = next();

    assertThat(last.text()).isEqualTo("Bye.");
    assertThat(last.usage().reasoning()).isPositive();
    assertThat(types(2))
        .containsExactly(
            "message",
            "reasoning",
            "message",
            "function_call",
            "function_call_output",
            "reasoning",
            "message",
            "message");
    assertThat(server.requests()).hasSize(3);
    assertThat(server.dropped()).isEmpty();
    assertThat(dropped).isEmpty();
  }

  @Test
  void saysThatReasoningIsNotUsedBehindAChange() {
    server.calls("get_rate", "{}").says("1.2");
    messages.add(new Message.System("Be brief."));
    say("The rate?");
    next();
    messages.set(0, new Message.System("Be kind."));
    next();

    assertThat(dropped).containsExactly("prefix_mismatch");
  }

  @Test
  void asksOnceMoreWithoutRefusedItemsAndGoesOnFromThere() {
    server.calls("get_rate", "{}").calls("get_rate", "{}").says("1.2").says("Bye.");
    say("The rate?");
    next();
    server.forget();
    ModelReply fresh = next();

    assertThat(server.requests()).hasSize(3);
    assertThat(types(2)).doesNotContain("reasoning");
    assertThat(Objects.requireNonNull(fresh.items()).fresh()).isTrue();
    assertThat(dropped).containsExactly("refused");
    next();
    assertThat(types(3))
        .containsExactly(
            "message",
            "function_call",
            "function_call_output",
            "reasoning",
            "function_call",
            "function_call_output");
    assertThat(server.requests()).hasSize(4);
    assertThat(dropped).hasSize(1);
    assertThat(server.dropped()).isEmpty();
  }

  @Test
  void isFreshAlsoWithoutItemsOfItsOwn() {
    server.withoutReasoning().says("1.2").says("Bye.");
    Json item = Json.text("{\"item\":{\"type\":\"reasoning\",\"encrypted_content\":\"old\"}}");
    String by = "responses/127.0.0.1/m";
    say("The rate?");
    messages.add(
        new Message.Assistant(
            "Hm.", List.of(), ProviderItems.of(by, List.of(item, Json.text("{\"text\":3}")))));
    say("So?");
    ModelReply reply = next();

    assertThat(reply.items()).isEqualTo(ProviderItems.of(by, List.of()).freshly());
    say("Thanks.");
    next();
    assertThat(server.requests()).hasSize(4); // without encryption, without items, then at once
  }

  @Test
  void sendsNothingOfAnotherModel() {
    server.calls("get_rate", "{}").says("1.2");
    say("The rate?");
    next();
    model = model("other");
    next();

    assertThat(types(1)).containsExactly("message", "function_call", "function_call_output");
    assertThat(dropped).isEmpty();
  }

  @Test
  void remembersThatAModelHasNoReasoning() {
    server.withoutReasoning().says("Hi.").says("Bye.");
    say("Hi");
    next();
    next();

    assertThat(server.requests())
        .extracting(request -> request.tree().has("include"))
        .containsExactly(true, false, false);
  }

  @Test
  void remembersThatAServerNeedsIds() {
    server.withIds().calls("get_rate", "{}").calls("get_rate", "{}").says("1.2");
    say("The rate?");
    next();
    next();
    next();

    assertThat(server.requests())
        .extracting(request -> request.tree().at("/input/1/id").asString(""))
        .containsExactly("", "", "rs_enc1", "rs_enc1");
    assertThat(dropped).isEmpty();
  }

  @Test
  void sendsNoIdsAnyMoreWhereTheyAreNotFound() {
    server.calls("get_rate", "{}");
    say("The rate?");
    next();
    String reply =
        "{\"output\":[{\"type\":\"reasoning\",\"id\":\"rs_9\",\"encrypted_content\":\"new\"},"
            + "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hi.\"}]}]}";
    try (StubWebhook other = StubWebhook.start()) {
      other.answer(400, "{\"error\":{\"message\":\"Missing parameter: 'input[1].id'.\"}}");
      other.answer(404, "{\"error\":{\"message\":\"Item with id 'rs_enc1' not found.\"}}");
      other.answer(200, reply);
      other.answer(200, reply);
      model =
          OpenAiModel.of(
              "m",
              ModelOptions.builder()
                  .baseUrl(other.url("/v1"))
                  .api(ModelOptions.Api.RESPONSES)
                  .build());
      next();
      next();

      assertThat(other.requests()).hasSize(4);
      assertThat(other.requests().get(1).body()).contains("\"rs_enc1\"");
      assertThat(other.requests().get(3).body()).contains("\"new\"").doesNotContain("\"rs_9\"");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "400 | \"code\":null,\"message\":\"Item 'rs_1' of type 'reasoning' was provided without its"
            + " required following item.\"",
        "400 | \"code\":null,\"message\":\"Item 'fc_1' of type 'function_call' was provided without"
            + " its required 'reasoning' item: 'rs_1'.\"",
        "404 | \"code\":null,\"message\":\"Item with id 'rs_1' not found.\"",
        "400 | \"code\":\"invalid_encrypted_content\",\"message\":\"It could not be verified.\""
      })
  void knowsHowItemsAreRefused(int status, String error) {
    server.calls("get_rate", "{}");
    say("The rate?");
    next();
    AtomicInteger asked = new AtomicInteger();
    try (StubWebhook other = StubWebhook.start()) {
      other.answer(request -> {
        asked.incrementAndGet();
        return StubAnswer.of(status, "{\"error\":{" + error + "}}");
      });
      model =
          OpenAiModel.of(
              "m",
              ModelOptions.builder()
                  .baseUrl(other.url("/v1"))
                  .api(ModelOptions.Api.RESPONSES)
                  .build());
      assertThatThrownBy(this::next).isInstanceOf(ModelException.class);
      assertThat(asked).hasValue(2);
      assertThat(other.requests().getLast().body()).doesNotContain("enc1");
    }
  }

  @Test
  void knowsThatTheInputIsTooLong() {
    server.withWindow(10).says("never");
    say("a".repeat(100));

    assertThatThrownBy(this::next)
        .isInstanceOfSatisfying(
            ModelException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_LONG));
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void countsEachEventAsASignOfLife() {
    server.says("Let me see.").and().calls("get_rate", "{}");
    AtomicInteger signs = new AtomicInteger();
    ReplyStream stream = ReplyStream.unheard();
    stream.onLife(signs::incrementAndGet);
    var unused = model.reply(ModelRequest.of(new Message.User("Hi")), stream);

    assertThat(signs.get()).isGreaterThan(10);
  }

  private static ModelReply ask(ChatModel model) {
    return model.reply(ModelRequest.of(new Message.User("Hi")), ReplyStream.unheard());
  }

  private static List<String> paths(StubWebhook service) {
    return service.requests().stream().map(StubRequest::path).toList();
  }

  private static StubAnswer referring(StubRequest request, StubAnswer other) {
    return request.path().endsWith("/chat/completions")
        ? StubAnswer.of(
            404,
            "{\"error\":{\"message\":\"This model is only supported in v1\\/responses and not in"
                + " v1\\/chat\\/completions.\",\"code\":null}}")
        : other;
  }

  @Test
  void staysWithResponsesWhereAServerRefersToThem() {
    String answer =
        "{\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hi.\"}]}]}";
    try (StubWebhook service = StubWebhook.start()) {
      service.answer(request -> referring(request, StubAnswer.of(200, answer)));
      ModelOptions options = ModelOptions.builder().baseUrl(service.url("/v1")).build();
      ChatModel switching = OpenAiModel.of("m", options);

      assertThat(ask(switching).text()).isEqualTo("Hi.");
      assertThat(ask(switching).text()).isEqualTo("Hi.");
      assertThat(paths(service))
          .containsExactly("/v1/chat/completions", "/v1/responses", "/v1/responses");
    }
  }

  @Test
  void showsTheFirstErrorWhereAServerDoesNotHaveThem() {
    try (StubWebhook service = StubWebhook.start()) {
      service.answer(
          request -> referring(request, StubAnswer.of(404, "{\"detail\":\"Not Found\"}")));
      ModelOptions options = ModelOptions.builder().baseUrl(service.url("/v1")).build();
      ChatModel switching = OpenAiModel.of("m", options);

      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> ask(switching)).hasMessageContaining("only supported in");
      }
      assertThat(service.requests()).hasSize(4);
    }
  }

  @Test
  void staysWithTheApiThatIsStated() {
    try (StubWebhook service = StubWebhook.start()) {
      service.answer(request -> referring(request, StubAnswer.of(200, "{}")));
      ModelOptions options =
          ModelOptions.builder().baseUrl(service.url("/v1")).api(ModelOptions.Api.CHAT).build();

      assertThatThrownBy(() -> ask(OpenAiModel.of("m", options)))
          .hasMessageContaining("only supported in");
      assertThat(service.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://api.openai.com/v1, true",
    "https://API.OpenAI.com/v1/, true",
    "https://x.openai.azure.com/openai/v1, true",
    "https://x.services.ai.azure.com/openai/v1/, true",
    "https://x.openai.azure.com/openai/deployments/d, false",
    "https://api.openai.com.example.org/v1, false",
    "https://openai.azure.com.example.org/openai/v1, false",
    "http://localhost:11434/v1, false"
  })
  void makesFormatsWhereResponsesAreTheDefault(String url, boolean made) {
    ModelRequest.ReplyFormat format =
        new ModelRequest.ReplyFormat("reply", Json.text("{\"type\":\"object\"}"), false);
    ModelOptions.Builder options = ModelOptions.builder().baseUrl(url);

    assertThat(OpenAiModel.of("m", options.build()).makes(format)).isEqualTo(made);
    ModelOptions chosen = options.api(ModelOptions.Api.RESPONSES).build();
    assertThat(OpenAiModel.of("m", chosen).makes(format)).isEqualTo(made);
  }
}
