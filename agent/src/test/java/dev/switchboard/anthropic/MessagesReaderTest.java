package dev.switchboard.anthropic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.ProviderContract;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessagesReaderTest {
  private static final String STOP =
      """
      {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}}
      {"type":"message_stop"}
      """;

  @Test
  void joinsTheFragmentsOfParallelCalls() {
    ModelReply reply =
        streamed(
            """
            {"type":"message_start","message":{"usage":{"input_tokens":7,"cache_read_input_tokens":3}}}
            {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Let "}}
            {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"me see."}}
            {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"a","input":{}}}
            {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c2","name":"b","input":{}}}
            {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"y\\":"}}
            {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"x\\":1}"}}
            {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"2}"}}
            """
                + STOP);

    assertThat(reply.text()).isEqualTo("Let me see.");
    assertThat(reply.calls())
        .containsExactly(
            RequestedCall.of("c1", "a", "{\"x\":1}"), RequestedCall.of("c2", "b", "{\"y\":2}"));
    assertThat(reply.finish()).isEqualTo(ModelReply.FinishReason.TOOL_CALLS);
    assertThat(reply.usage().input()).isEqualTo(10);
    assertThat(reply.usage().output()).isEqualTo(5);
  }

  @Test
  void acceptsStreamWithStopReasonButNoLastEvent() {
    String start =
        """
        {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}
        {"type":"content_block_stop","index":0}
        {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"a","input":{}}}
        {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}}
        """;
    String end = "{\"type\":\"content_block_stop\",\"index\":1}\n";
    String reason = STOP.lines().findFirst().orElseThrow();

    assertThat(streamed(start + end + reason).calls())
        .containsExactly(RequestedCall.of("c1", "a", "{}"));
    assertThat(streamed(start + end + STOP).calls()).hasSize(1);
    for (String broken :
        List.of(
            start + reason,
            start + end,
            start + end + "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":null}}")) {
      assertThatThrownBy(() -> streamed(broken))
          .isInstanceOfSatisfying(
              ModelException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN));
    }
  }

  @Test
  void anInputWithoutFragmentsIsTheOneItBeganWith() {
    String start =
        """
        {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"a","input":%s}}
        {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}}
        """;

    assertThat(arguments(start.formatted("{}"))).isEqualTo("{}");
    assertThat(arguments(start.formatted("{\"x\":1}"))).isEqualTo("{\"x\":1}");
    assertThat(arguments(start.formatted("null"))).isEqualTo("{}");
  }

  @Test
  void leavesOutWhatItDoesNotKnow() {
    ModelReply reply =
        streamed(
            """
            {"type":"content_block_start","index":0,"content_block":{"type":"new_block","text":"Oh"}}
            {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hm"}}
            {"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"Hm"}}
            {"type":"new_event"}
            {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"Hi"}}
            {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"Hi"}}
            """
                + STOP);

    assertThat(reply)
        .isEqualTo(new ModelReply("Hi", List.of(), ModelReply.FinishReason.STOP, reply.usage()));
  }

  @Test
  void aWholeAnswerHoldsCallsToo() {
    ModelReply reply =
        whole(
            """
            {"type":"message","content":[{"type":"text","text":"Let me see."},
             {"type":"tool_use","id":"c1","name":"a","input":{"x":1}},
             {"type":"tool_use","id":"c2","name":"b","input":{}}],"stop_reason":"tool_use"}
            """);

    assertThat(reply.text()).isEqualTo("Let me see.");
    assertThat(reply.calls())
        .containsExactly(
            RequestedCall.of("c1", "a", "{\"x\":1}"), RequestedCall.of("c2", "b", "{}"));
  }

  @ParameterizedTest
  @CsvSource({
    "end_turn,STOP",
    "stop_sequence,STOP",
    "max_tokens,LENGTH",
    "model_context_window_exceeded,LENGTH",
    "refusal,FILTERED",
    "pause_turn,OTHER"
  })
  void readsWhyTheModelStopped(String word, ModelReply.FinishReason reason) {
    assertThat(whole("{\"content\":[],\"stop_reason\":\"" + word + "\"}").finish())
        .isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "overloaded_error,UNAVAILABLE",
    "api_error,UNAVAILABLE",
    "timeout_error,UNAVAILABLE",
    "rate_limit_error,RATE_LIMITED",
    "invalid_request_error,REFUSED",
    "authentication_error,DENIED",
    "permission_error,DENIED",
    "billing_error,DENIED",
    "not_found_error,NOT_FOUND",
    "request_too_large,TOO_LONG",
    "odd_error,BROKEN"
  })
  void tellsErrorsApart(String type, Kind kind) {
    String error = "{\"type\":\"error\",\"error\":{\"type\":\"" + type + "\",\"message\":\"No\"}}";

    assertThatThrownBy(() -> streamed(error))
        .isInstanceOfSatisfying(ModelException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @Test
  void keepsThePartsInTheOrderInWhichTheModelMadeThem() {
    List<String> heard = new ArrayList<>();
    ModelReply reply =
        streamed(
            """
            {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
            {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"ab"}}
            {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c="}}
            {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}
            {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Let me see."}}
            {"type":"content_block_start","index":2,"content_block":{"type":"redacted_thinking","data":"xyz"}}
            {"type":"content_block_start","index":3,"content_block":{"type":"text","text":"It "}}
            {"type":"content_block_start","index":4,"content_block":{"type":"text","text":"rains."}}
            {"type":"content_block_start","index":5,"content_block":{"type":"thinking","thinking":"Hm"}}
            {"type":"content_block_delta","index":5,"delta":{"type":"thinking_delta","thinking":", rain"}}
            {"type":"content_block_start","index":6,"content_block":{"type":"tool_use","id":"c","name":"t","input":{}}}
            """
                + STOP,
            heard);

    assertThat(reply.text()).isEqualTo("Let me see.\n\nIt rains.");
    assertThat(String.join("", heard)).isEqualTo(reply.text());
    assertThat(entries(reply))
        .containsExactly(
            "{'item':{'type':'thinking','thinking':'','signature':'abc='}}",
            "{'text':11}",
            "{'item':{'type':'redacted_thinking','data':'xyz'}}",
            "{'text':9}",
            "{'item':{'type':'thinking','thinking':'Hm, rain'}}",
            "{'call':0}");
    assertThat(Objects.requireNonNull(reply.items()).by()).endsWith("/m").startsWith("anthropic/");
    assertThat(reply.calls().getFirst().extra()).isNull();
  }

  @Test
  void separatesWordsByWhatIsBetweenThemWhenTheyArrive() {
    List<String> heard = new ArrayList<>();
    ModelReply reply =
        streamed(
            """
            {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}
            {"type":"content_block_start","index":2,"content_block":{"type":"new_block"}}
            {"type":"content_block_start","index":3,"content_block":{"type":"text","text":"d"}}
            {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}}
            {"type":"content_block_start","index":4,"content_block":{"type":"thinking"}}
            {"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"e"}}
            {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"c"}}
            {"type":"content_block_start","index":1,"content_block":{"type":"thinking"}}
            {"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"f"}}
            {"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"g"}}
            """
                + STOP,
            heard);

    assertThat(heard).containsExactly("a", "d", "b", "e", "c", "\n\nf", "g");
    assertThat(reply.text()).isEqualTo("abc\n\ndefg");
  }

  @Test
  void keepsThePartsOfAWholeAnswer() {
    ModelReply reply =
        whole(
            """
            {"content":[{"type":"text","text":"A"},{"type":"thinking","thinking":"Hm","signature":"s"},
             {"type":"text","text":"B"}],"stop_reason":"end_turn"}
            """);

    assertThat(reply.text()).isEqualTo("A\n\nB");
    assertThat(entries(reply))
        .containsExactly(
            "{'text':1}",
            "{'item':{'type':'thinking','thinking':'Hm','signature':'s'}}",
            "{'text':1}");
  }

  @Test
  void leavesOutThoughtsAtTheEnd() {
    String thoughts =
        """
        {"type":"thinking","thinking":"Two","signature":"t"},{"type":"redacted_thinking","data":"d"}\
        """;
    String body =
        """
        {"content":[{"type":"thinking","thinking":"One","signature":"s"},{"type":"text","text":"B"},%s],
         "stop_reason":"max_tokens"}
        """;

    assertThat(entries(whole(body.formatted(thoughts)))).hasSize(2);
    assertThat(entries(whole(body.formatted("{\"type\":\"thinking\",\"thinking\":\"Tw\"}"))))
        .hasSize(2);
    assertThat(whole("{\"content\":[" + thoughts + "],\"stop_reason\":\"refusal\"}").items())
        .isNull();
  }

  @Test
  void notesThinkingThatTheApiDidNotUse() {
    String event =
        """
        {"type":"message_start","message":{"input_transformations":[
        {"type":"thinking_dropped","path":"messages.1.content.0","reason":"turn_boundary"},
        {"type":"thinking_mismatch_allowed","reason":"model_binding_mismatch"},
        {"type":"thinking_dropped","path":"messages.3.content.0","reason":"prefix_binding_mismatch"}]}}
        """
            .replace("\n", "");
    List<String> dropped = new ArrayList<>();
    ReplyStream stream = new ReplyStream(text -> {});
    stream.onDropped(dropped::add);

    assertThat(reply(events(event + "\n" + STOP), stream).text()).isEmpty();
    assertThat(dropped).containsExactly("prefix_binding_mismatch");
  }

  @Test
  void countsWhatCameFromTheCacheAndWentThereAndWhatWasThought() {
    assertThat(
            whole(
                    """
                    {"content":[],"usage":{"input_tokens":7,"cache_read_input_tokens":30,
                      "cache_creation_input_tokens":200,"output_tokens":5,
                      "output_tokens_details":{"thinking_tokens":4}}}
                    """)
                .usage())
        .isEqualTo(new ModelReply.Usage(237, 5, 30, 200, 4));
  }

  @Test
  void sendsTheVersionOfTheInterface() {
    try (StubWebhook server = StubWebhook.start().answer(200, "{\"content\":[]}")) {
      model(server).reply(ProviderContract.HELLO, ReplyStream.unheard());

      assertThat(server.requests().getFirst().path()).isEqualTo("/v1/messages");
      assertThat(server.requests().getFirst().header("anthropic-version")).isEqualTo("2023-06-01");
    }
  }

  private static String arguments(String start) {
    return streamed(start + STOP).calls().getFirst().arguments().text();
  }

  private static List<String> entries(ModelReply reply) {
    return Objects.requireNonNull(reply.items()).entries().stream()
        .map(entry -> entry.text().replace('"', '\''))
        .toList();
  }

  private static ModelReply streamed(String lines) {
    return streamed(lines, new ArrayList<>());
  }

  private static ModelReply streamed(String lines, List<String> heard) {
    return reply(events(lines), new ReplyStream(heard::add));
  }

  private static StubAnswer events(String lines) {
    StringBuilder body = new StringBuilder();
    lines.lines().forEach(line -> body.append("event: x\ndata: ").append(line).append("\n\n"));
    return StubAnswer.of(200, body.toString()).contentType("text/event-stream");
  }

  private static ModelReply whole(String body) {
    return reply(StubAnswer.of(200, body), ReplyStream.unheard());
  }

  private static ModelReply reply(StubAnswer answer, ReplyStream stream) {
    try (StubWebhook server = StubWebhook.start().answer(answer)) {
      return model(server).reply(ProviderContract.HELLO, stream);
    }
  }

  private static AnthropicModel model(StubWebhook server) {
    return AnthropicModel.of("m", ModelOptions.builder().baseUrl(server.url()).build());
  }
}
