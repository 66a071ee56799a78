package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ChatReaderTest {
  @Test
  void c110FragmentsOfOneCallAreJoined() {
    Vector vector = Vectors.byId("C110");
    List<String> fragments = new ArrayList<>();
    for (JsonNode given : vector.given().path("model_stream")) {
      fragments.add(
          """
          {"index":%s,%s"function":{%s"arguments":%s}}\
          """
              .formatted(
                  given.path("index"),
                  given.has("id") ? "\"id\":" + given.path("id") + "," : "",
                  given.has("name") ? "\"name\":" + given.path("name") + "," : "",
                  given.path("arguments")));
    }

    RequestedCall call = calls(fragments.toArray(String[]::new)).getFirst();

    assertThat(call.id()).isEqualTo("c1");
    assertThat(call.name()).isEqualTo("t");
    assertThat(call.arguments().tree()).isEqualTo(vector.expect().path("handler_args"));
  }

  @Test
  void parallelCallsAreJoinedByTheirIndex() {
    assertThat(
            told(
                fragment("\"index\":0,\"id\":\"c1\"", "a", ""),
                fragment("\"index\":1,\"id\":\"c2\"", "b", ""),
                fragment("\"index\":1", "", "{\\\"x\\\":"),
                fragment("\"index\":0", "", "{\\\"x\\\":"),
                fragment("\"index\":0", "", "1}"),
                fragment("\"index\":1", "", "2}")))
        .containsExactly("c1 a {\"x\":1}", "c2 b {\"x\":2}");
  }

  @Test
  void callsComeInTheOrderOfTheirIndexWhereverTheyBegin() {
    assertThat(
            told(
                fragment("\"index\":2,\"id\":\"c3\"", "c", "{\\\"x\\\":"),
                fragment("\"index\":0,\"id\":\"c1\"", "a", ""),
                fragment("\"index\":2", "", "3}"),
                fragment("\"index\":1", "", "{\\\"x\\\":")
                    + ","
                    + fragment("\"index\":0", "", "{\\\"x\\\":1}"),
                fragment("\"index\":1,\"id\":\"c2\"", "b", "2}")))
        .containsExactly("c1 a {\"x\":1}", "c2 b {\"x\":2}", "c3 c {\"x\":3}");
  }

  @Test
  void aCallWithoutAnIndexStaysBehindTheOneBeforeIt() {
    assertThat(
            told(
                fragment("\"index\":1,\"id\":\"c2\"", "b", "{}"),
                fragment("\"id\":\"c3\"", "c", "{}"),
                fragment("\"index\":0,\"id\":\"c1\"", "a", "{}")))
        .containsExactly("c1 a {}", "c2 b {}", "c3 c {}");
  }

  @Test
  void aRepeatedIdAndNameBeginNoOtherCall() {
    assertThat(
            told(
                fragment("\"index\":0,\"id\":\"c1\"", "a", "{\\\"x\\\":"),
                fragment("\"index\":0,\"id\":\"c1\"", "a", "1}"),
                fragment("\"index\":0,\"id\":\"\"", "a", "")))
        .containsExactly("c1 a {\"x\":1}");
  }

  @Test
  void idAndNameMayComeLate() {
    assertThat(
            told(
                fragment("\"index\":0", "", "{\\\"x\\\":"),
                fragment("\"index\":0,\"id\":\"c1\"", "", "1"),
                fragment("\"index\":0", "a", "}")))
        .containsExactly("c1 a {\"x\":1}");
    assertThat(told(fragment("\"id\":null", "a", "{"), fragment("\"id\":\"c1\"", "", "}")))
        .containsExactly("c1 a {}");
  }

  @Test
  void aNameMayComeInPieces() {
    assertThat(
            told(
                fragment("\"index\":0,\"id\":\"c1\"", "get_", ""),
                fragment("\"index\":0", "table", ""),
                fragment("\"index\":0", "s", "{}"),
                fragment("\"index\":0,\"id\":\"c2\"", "get_", ""),
                fragment("\"index\":0,\"id\":\"c2\"", "it", "{}")))
        .containsExactly("c1 get_tables {}", "c2 get_it {}");
    assertThat(
            told(
                fragment("\"index\":0,\"id\":\"c1\"", "get", ""),
                fragment("\"index\":0", "get_it", ""),
                fragment("\"index\":0", "get_it", "{"),
                fragment("\"index\":0", "get_it", "}")))
        .as("the name so far")
        .containsExactly("c1 get_it {}");
  }

  @Test
  void aStreamMayConsistOfMessages() {
    String whole = "{\"choices\":[{\"message\":{\"content\":\"%s\"},\"finish_reason\":%s}]}";
    String delta = "{\"choices\":[{\"delta\":{\"content\":\"Hello you\"}}]}";
    String last = whole.formatted(" you", "\"stop\"");

    assertThat(streamed(List.of(whole.formatted("Hello", "null"), last)).text())
        .isEqualTo("Hello you");
    assertThat(streamed(List.of(delta, last)).text()).isEqualTo("Hello you");
  }

  @Test
  void withoutAnIndexAnotherIdBeginsAnotherCall() {
    assertThat(
            told(
                fragment("\"id\":\"c1\"", "a", "{\\\"x\\\":"),
                fragment("\"type\":\"function\"", "", "1}"),
                fragment("\"id\":\"c2\"", "a", "{}"),
                fragment("\"id\":\"c1\"", "", " ")))
        .containsExactly("c1 a {\"x\":1} ", "c2 a {}");
  }

  @Test
  void separatesCallsWithoutIndexOrId() {
    assertThat(
            told(
                fragment("\"id\":\"\"", "a", "{\\\"x\\\":"),
                fragment("\"id\":\"\"", "a", "1}"),
                fragment("\"id\":\"\"", "a", "{}"),
                fragment("\"id\":\"\"", "b", "{}")))
        .containsExactly(" a {\"x\":1}", " a {}", " b {}");
  }

  @Test
  void severalWholeCallsOfOneChunkAreSeveralCalls() {
    String one = fragment("\"index\":0,\"id\":\"c1\"", "a", "{}");
    String two = fragment("\"index\":0,\"id\":\"c2\"", "a", "{}");
    String bare = fragment("\"type\":\"function\"", "a", "{}");

    assertThat(told(one + "," + two)).containsExactly("c1 a {}", "c2 a {}");
    assertThat(told(bare + "," + bare)).containsExactly(" a {}", " a {}");
    assertThat(told(fragment("\"index\":0", "a", "") + "," + fragment("\"index\":0", "a", "")))
        .containsExactly(" a ", " a ");
  }

  @Test
  void argumentsMayBeAnObject() {
    String call = "{\"id\":\"c1\",\"function\":{\"name\":\"a\",\"arguments\":{\"x\":1}}}";
    String none = "{\"id\":\"c1\",\"function\":{\"name\":\"a\",\"arguments\":null}}";

    assertThat(told(call)).containsExactly("c1 a {\"x\":1}");
    assertThat(told(none)).containsExactly("c1 a ");
  }

  @Test
  void keepsWhatItDoesNotKnowOfACall() {
    String call =
        """
        {"index":0,"id":"c1","type":"function","extra_content":{"google":{"thought_signature":"s"}},
         "function":{"name":"a","arguments":"{}"}}\
        """;

    Json extra = calls(call).getFirst().extra();

    assertThat(extra)
        .isEqualTo(Json.text("{\"extra_content\":{\"google\":{\"thought_signature\":\"s\"}}}"));
    assertThat(calls(fragment("\"id\":\"c1\"", "a", "{}")).getFirst().extra()).isNull();
  }

  @Test
  void aWholeAnswerHoldsCallsToo() {
    ModelReply reply =
        whole(
            """
            {"choices":[{"message":{"content":null,"tool_calls":[
              {"id":"c1","type":"function","function":{"name":"a","arguments":"{}"}},
              {"id":"c2","type":"function","function":{"name":"a","arguments":"{}"}}]},
             "finish_reason":"tool_calls"}]}\
            """);

    assertThat(reply.text()).isEmpty();
    assertThat(reply.calls()).extracting(RequestedCall::id).containsExactly("c1", "c2");
    assertThat(reply.finish()).isEqualTo(ModelReply.FinishReason.TOOL_CALLS);
    assertThat(reply.usage()).isEqualTo(ModelReply.Usage.NONE);
  }

  @Test
  void aCallWithoutANameIsBroken() {
    assertThatThrownBy(() -> calls(fragment("\"id\":\"c1\"", "", "{}")))
        .isInstanceOfSatisfying(
            ModelException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN));
  }

  @ParameterizedTest
  @CsvSource({
    "stop,STOP",
    "tool_calls,STOP",
    "length,LENGTH",
    "content_filter,FILTERED",
    "eos,OTHER"
  })
  void readsWhyTheModelStopped(String word, ModelReply.FinishReason reason) {
    assertThat(
            whole("{\"choices\":[{\"message\":{},\"finish_reason\":\"" + word + "\"}]}").finish())
        .isEqualTo(reason);
  }

  @Test
  void callsAreTheReasonWhereTheServerSaysStop() {
    String call = fragment("\"id\":\"c1\"", "a", "{}");

    ModelReply reply =
        whole(
            "{\"choices\":[{\"message\":{\"tool_calls\":["
                + call
                + "]},\"finish_reason\":\"stop\"}]}");

    assertThat(reply.finish()).isEqualTo(ModelReply.FinishReason.TOOL_CALLS);
  }

  @Test
  void aRefusalIsTextThatWasFiltered() {
    ModelReply reply =
        whole("{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"I will not.\"}}]}");

    assertThat(reply.text()).isEqualTo("I will not.");
    assertThat(reply.finish()).isEqualTo(ModelReply.FinishReason.FILTERED);
  }

  @Test
  void partsOfContentAreJoinedAndOtherChoicesLeft() {
    ModelReply reply =
        whole(
            """
            {"choices":[{"index":1,"message":{"content":"no"}},{"index":0,"message":{"content":
              [{"type":"text","text":"Hello"},{"type":"thinking"},{"type":"text","text":" you"}]}}]}\
            """);

    assertThat(reply.text()).isEqualTo("Hello you");
  }

  @Test
  void aReasonToStopCompletesAStreamWithoutDone() {
    ModelReply reply =
        streamed(
            List.of("{\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}"));

    assertThat(reply.text()).isEqualTo("Hi");
  }

  private static List<String> withoutReason(String arguments) {
    String call = fragment("\"id\":\"c1\"", "a", arguments);
    return List.of("{\"choices\":[{\"delta\":{\"tool_calls\":[" + call + "]}}]}", "[DONE]");
  }

  @Test
  void wholeCallsWithoutAReasonToStopAreTaken() {
    assertThat(streamed(withoutReason("{\\\"x\\\":1}")).calls())
        .singleElement()
        .satisfies(call -> assertThat(call.arguments().text()).isEqualTo("{\"x\":1}"));
    assertThatThrownBy(() -> streamed(withoutReason("{}").subList(0, 1)))
        .as("a stream without its end")
        .isInstanceOf(ModelException.class);
  }

  @ParameterizedTest
  @CsvSource({"''", "{", "12", "'{\\\"x\\\":'"})
  void incompleteCallsWithoutAReasonToStopAreBroken(String arguments) {
    assertThatThrownBy(() -> streamed(withoutReason(arguments)))
        .isInstanceOfSatisfying(
            ModelException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<think>Hm.</think>Yes.|Yes.",
        "<think>Hm|",
        "' <think>\na<b</think>\n\nYes </think>.'|Yes </think>.",
        "<thinking>Hm</think></thinking> Yes.|Yes.",
        "<think></think>|",
        "<thin|<thin",
        "<thinker>x|<thinker>x",
        "No <think>x</think>.|No <think>x</think>.",
        "' '|' '"
      })
  void whatAModelThinksBeforeItsAnswerIsLeftOut(String said, String shown) {
    String expected = shown == null ? "" : shown;
    String json = said.replace("\n", "\\n");
    assertThat(whole("{\"choices\":[{\"message\":{\"content\":\"" + json + "\"}}]}").text())
        .isEqualTo(expected);
    for (int size = 1; size < 8; size++) {
      List<String> events = new ArrayList<>();
      for (int i = 0; i < said.length(); i += size) {
        String part = said.substring(i, Math.min(said.length(), i + size));
        events.add(
            "{\"choices\":[{\"delta\":{\"content\":\"" + part.replace("\n", "\\n") + "\"}}]}");
      }
      events.add("[DONE]");
      StringBuilder streamed = new StringBuilder();
      String body = "data: " + String.join("\n\ndata: ", events) + "\n\n";
      ModelReply reply =
          reply(
              StubAnswer.of(200, body).contentType("text/event-stream"),
              new ReplyStream(streamed::append));
      assertThat(reply.text()).isEqualTo(expected);
      assertThat(streamed).hasToString(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rate_limit_exceeded,RATE_LIMITED",
    "server_error,UNAVAILABLE",
    "insufficient_quota,DENIED",
    "invalid_api_key,DENIED",
    "context_length_exceeded,TOO_LONG",
    "odd,BROKEN"
  })
  void tellsErrorsApart(String code, Kind kind) {
    String error = "{\"error\":{\"message\":\"No\",\"type\":null,\"code\":\"" + code + "\"}}";

    assertThatThrownBy(() -> streamed(List.of(error)))
        .isInstanceOfSatisfying(ModelException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @Test
  void anEmptyAccountIsNotALimitThatPasses() {
    StubAnswer answer =
        StubAnswer.of(429, "{\"error\":{\"message\":\"Pay\",\"code\":\"insufficient_quota\"}}");

    assertThatThrownBy(() -> reply(answer, ReplyStream.unheard()))
        .isInstanceOfSatisfying(
            ModelException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DENIED));
  }

  @Test
  void joinsALetterOfArgumentsThatTwoFragmentsShare() {
    assertThat(
            told(
                fragment("\"index\":0,\"id\":\"c1\"", "a", "{\\\"x\\\":\\\"\\ud83d"),
                fragment("\"index\":0", "", "\\ude00\\\"}")))
        .containsExactly("c1 a {\"x\":\"\ud83d\ude00\"}");
  }

  private static String fragment(String members, String name, String arguments) {
    String named = name.isEmpty() ? "" : "\"name\":\"" + name + "\",";
    return "{%s,\"function\":{%s\"arguments\":\"%s\"}}".formatted(members, named, arguments);
  }

  private static List<String> told(String... fragments) {
    return calls(fragments).stream()
        .map(call -> call.id() + " " + call.name() + " " + call.arguments())
        .toList();
  }

  private static List<RequestedCall> calls(String... fragments) {
    List<String> events = new ArrayList<>();
    for (String fragment : fragments) {
      events.add("{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[" + fragment + "]}}]}");
    }
    events.add("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}");
    events.add("[DONE]");
    return streamed(events).calls();
  }

  private static ModelReply streamed(List<String> events) {
    String body = "data: " + String.join("\n\ndata: ", events) + "\n\n";
    return reply(
        StubAnswer.of(200, body.replace("\n ", " ")).contentType("text/event-stream"),
        new ReplyStream(text -> {}));
  }

  private static ModelReply whole(String body) {
    return reply(StubAnswer.of(200, body), ReplyStream.unheard());
  }

  private static ModelReply reply(StubAnswer answer, ReplyStream stream) {
    try (StubWebhook server = StubWebhook.start().answer(answer)) {
      ModelOptions options = ModelOptions.builder().baseUrl(server.url()).build();
      return OpenAiModel.of("m", options)
          .reply(dev.switchboard.provider.ProviderContract.HELLO, stream);
    }
  }
}
