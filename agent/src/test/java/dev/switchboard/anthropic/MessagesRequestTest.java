package dev.switchboard.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class MessagesRequestTest {
  private static final String BY = "anthropic/host/m";
  private static final ToolDefinition WEATHER =
      Tool.dynamic("get_weather", "{\"type\":\"object\",\"properties\":{}}")
          .handler(arguments -> "rain")
          .definition();

  @Test
  void c118AllResultsOfOneMessageStandInOneUserMessage() {
    Vector vector = Vectors.byId("C118");
    List<Message> messages = new ArrayList<>(List.of(new Message.User("Rain?")));
    int calls = vector.given().path("tool_calls").intValue();
    messages.add(
        new Message.Assistant(
            "",
            IntStream.range(0, calls)
                .mapToObj(i -> RequestedCall.of("c" + i, "get_weather", "{}"))
                .toList()));
    for (int i = 0; i < calls; i++) {
      messages.add(new Message.Result("c" + i, "get_weather", "rain", true));
    }

    JsonNode turns = turns(messages.toArray(Message[]::new));

    boolean one =
        turns.size() == 3
            && turns.at("/2/role").asString().equals("user")
            && turns
                .at("/2/content")
                .findValuesAsString("type")
                .equals(List.of("tool_result", "tool_result"));
    assertThat(one)
        .isEqualTo(
            vector.expect().path("one_user_message_with_two_tool_result_blocks").booleanValue());
  }

  @Test
  void sendsTheIdsOfAnotherProvidersCallsInAcceptedCharacters() {
    JsonNode turns =
        turns(
            new Message.User("Rain?"),
            new Message.Assistant(
                "", List.of(RequestedCall.of("functions.get_weather:0", "get_weather", "{}"))),
            new Message.Result("functions.get_weather:0", "get_weather", "rain", true));

    String id = turns.at("/1/content/0/id").asString();
    assertThat(id).matches("[A-Za-z0-9_-]{1,64}");
    assertThat(turns.at("/2/content/0/tool_use_id").asString()).isEqualTo(id);
  }

  @Test
  void writesEveryKindOfMessage() {
    JsonNode body =
        written(
            new Message.System("Be kind."),
            new Message.User("Rain?"),
            new Message.Assistant(
                "Let me see.", List.of(RequestedCall.of("c1", "get_weather", "{\"x\":1}"))),
            new Message.Result("c1", "get_weather", "{\"error\":\"dark\"}", false),
            new Message.Notice("Be brief."),
            new Message.Assistant("Who knows.", List.of()));

    assertThat(body.path("system").asString()).isEqualTo("Be kind.");
    assertThat(body.path("max_tokens").asInt()).isEqualTo(16_384);
    assertThat(body.path("messages"))
        .isEqualTo(
            json(
                """
                [{"role":"user","content":[{"type":"text","text":"Rain?"}]},
                 {"role":"assistant","content":[{"type":"text","text":"Let me see."},
                   {"type":"tool_use","id":"c1","name":"get_weather","input":{"x":1}}]},
                 {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1",
                   "content":"{\\"error\\":\\"dark\\"}","is_error":true},
                   {"type":"text","text":"Be brief."}]},
                 {"role":"assistant","content":[{"type":"text","text":"Who knows."}]}]
                """));
  }

  @Test
  void mergesWhatOneSideSaysInARow() {
    JsonNode turns =
        turns(new Message.User("One"), new Message.Notice("Two"), new Message.User("Three"));

    assertThat(turns).hasSize(1);
    assertThat(turns.at("/0/content").findValuesAsString("text"))
        .containsExactly("One", "Two", "Three");
  }

  @Test
  void beginsWithTheUser() {
    JsonNode turns = turns(new Message.Assistant("Hi!", List.of()), new Message.User("Hello"));

    assertThat(turns.findValuesAsString("role")).containsExactly("user", "assistant", "user");
    assertThat(turns.at("/0/content/0/text").asString()).isNotBlank();
    assertThat(turns(new Message.System("Be kind.")).findValuesAsString("role"))
        .containsExactly("user");
  }

  @Test
  void sendsNoEmptyText() {
    JsonNode turns =
        turns(
            new Message.User(""),
            new Message.User("Hello"),
            new Message.Assistant("", List.of()),
            new Message.Notice(" "),
            new Message.Result("c1", "t", "", true));

    assertThat(turns)
        .isEqualTo(
            json(
                """
                [{"role":"user","content":[{"type":"text","text":"Hello"},
                  {"type":"tool_result","tool_use_id":"c1","content":"(empty)"}]}]
                """));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"city\":", "[1]", "null", "\"Oslo\""})
  void sendsAnEmptyInputForArgumentsThatAreNotAnObject(String arguments) {
    JsonNode turns =
        turns(new Message.Assistant("", List.of(RequestedCall.of("c1", "t", arguments))));

    assertThat(turns.at("/1/content/0/input")).isEqualTo(json("{}"));
  }

  @ParameterizedTest
  @CsvSource({"AUTO,auto", "REQUIRED,auto", "NONE,none"})
  void offersToolsAndNamesTheChoice(ModelRequest.ToolChoice choice, String word) {
    List<Message> hello = List.of(new Message.User("Rain?"));
    JsonNode body = written(new ModelRequest(hello, List.of(WEATHER), choice));

    assertThat(body.path("tools"))
        .isEqualTo(
            json(
                """
                [{"name":"get_weather","input_schema":{"type":"object","properties":{}}}]
                """));
    assertThat(body.at("/tool_choice/type").asString()).isEqualTo(word);
  }

  @Test
  void saysNothingOfToolsWhereThereAreNone() {
    JsonNode body = written(new Message.User("Hello"));

    assertThat(body.propertyNames()).containsExactly("model", "max_tokens", "messages", "stream");
    assertThat(body.path("stream").asBoolean()).isTrue();
  }

  @Test
  void declaresToolsOfEarlierCallsWithChoiceNone() {
    JsonNode body =
        written(
            new Message.User("Rain?"),
            new Message.Assistant("", List.of(RequestedCall.of("c1", "get_weather", "{}"))),
            new Message.Result("c1", "get_weather", "rain", true));

    assertThat(body.at("/tools/0/name").asString()).isEqualTo("get_weather");
    assertThat(body.at("/tool_choice/type").asString()).isEqualTo("none");
  }

  @Test
  void marksTheEndsOfToolsPromptAndConversationToBeKept() {
    ModelRequest request =
        new ModelRequest(
            List.of(
                new Message.System("Be kind."),
                new Message.User("Rain?"),
                new Message.Assistant("", List.of(RequestedCall.of("c1", "get_weather", "{}"))),
                new Message.Result("c1", "get_weather", "rain", true)),
            List.of(WEATHER, WEATHER),
            ModelRequest.ToolChoice.AUTO);

    JsonNode body = written(request, ModelOptions.builder());

    String kept = "/cache_control/type";
    assertThat(body.at("/system/0" + kept).asString()).isEqualTo("ephemeral");
    assertThat(body.at("/tools/1" + kept).asString()).isEqualTo("ephemeral");
    assertThat(body.at("/messages/2/content/0" + kept).asString()).isEqualTo("ephemeral");
    assertThat(body.toString().split("cache_control", -1)).hasSize(4);
    assertThat(written(request).toString()).doesNotContain("cache_control");
  }

  @Test
  void writesImagesDocumentsAndTexts() {
    Message.User said =
        new Message.User(
            "Look:",
            Message.Attachment.of("image/gif", "GIF89a".getBytes(StandardCharsets.US_ASCII)),
            Message.Attachment.of("application/pdf", "%PDF-1".getBytes(StandardCharsets.US_ASCII))
                .named("a.pdf"),
            Message.Attachment.of("text/plain", "Hi".getBytes(StandardCharsets.US_ASCII)));

    assertThat(turns(said).at("/0/content"))
        .isEqualTo(
            json(
                """
                [{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlh"}},
                 {"type":"document","title":"a.pdf",
                  "source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0x"}},
                 {"type":"text","text":"File 'text':\\nHi"},
                 {"type":"text","text":"Look:"}]
                """));
  }

  @Test
  void sendsWhatTheModelMadeInItsOrderToThatModelOnly() {
    Message.Assistant said =
        new Message.Assistant(
            "Let me see.\n\nRain.",
            List.of(RequestedCall.of("c1", "get_weather", "{}")),
            items(
                BY,
                "{'text':11}",
                "{'item':{'type':'thinking','thinking':'','signature':'s'}}",
                "{'call':0}",
                "{'item':{'type':'redacted_thinking','data':'d'}}",
                "{'text':5}"));

    assertThat(turns(new Message.User("Rain?"), said).at("/1/content"))
        .isEqualTo(
            json(
                """
                [{"type":"text","text":"Let me see."},
                 {"type":"thinking","thinking":"","signature":"s"},
                 {"type":"tool_use","id":"c1","name":"get_weather","input":{}},
                 {"type":"redacted_thinking","data":"d"},
                 {"type":"text","text":"Rain."}]
                """));
    for (ProviderItems other :
        new ProviderItems[] {
          items("anthropic/host/other", "{'item':{'type':'thinking'}}"), items(BY, "{'text':99}")
        }) {
      Message.Assistant plain = new Message.Assistant(said.text(), said.calls(), other);
      assertThat(
              turns(new Message.User("Rain?"), plain).at("/1/content").findValuesAsString("type"))
          .containsExactly("text", "tool_use");
    }
  }

  /// The API refuses a message that ends in thinking, and blank text, such as one after thinking.
  @Test
  void endsNoMessageInThinking() {
    String thinking = "{'item':{'type':'thinking','thinking':'','signature':'s'}}";
    String redacted = "{'item':{'type':'redacted_thinking','data':'d'}}";

    assertThat(
            turns(
                new Message.User("Rain?"),
                new Message.Assistant(
                    "Yes\n\n ",
                    List.of(),
                    items(BY, thinking, "{'text':3}", redacted, "{'text':1}", thinking)),
                new Message.User("Much?"),
                new Message.Assistant("", List.of(), items(BY, thinking, redacted)),
                new Message.Notice("Reply")))
        .isEqualTo(
            json(
                """
                [{"role":"user","content":[{"type":"text","text":"Rain?"}]},
                 {"role":"assistant","content":[
                  {"type":"thinking","thinking":"","signature":"s"},{"type":"text","text":"Yes"}]},
                 {"role":"user","content":[
                  {"type":"text","text":"Much?"},{"type":"text","text":"Reply"}]}]
                """));
  }

  @Test
  void readsNoThoughtsOfOldLines() {
    Json old = Json.text("{\"anthropic:thinking\":[{\"type\":\"thinking\",\"thinking\":\"Hm\"}]}");
    RequestedCall call = new RequestedCall("c1", "get_weather", Json.EMPTY_OBJECT, old);

    assertThat(
            turns(new Message.User("Rain?"), new Message.Assistant("", List.of(call))).toString())
        .doesNotContain("Hm");
  }

  @Test
  void olderModelDoesNotThinkAfterCallsWithoutThoughts() {
    ModelOptions.Builder older = ModelOptions.builder().reasoning(2000);
    ProviderItems thought =
        items(BY, "{'item':{'type':'thinking','thinking':'Hm','signature':'s'}}", "{'call':0}");
    for (ProviderItems items : new ProviderItems[] {null, thought}) {
      ModelRequest request =
          ModelRequest.of(
              new Message.User("Rain?"),
              new Message.Assistant(
                  "", List.of(RequestedCall.of("c1", "get_weather", "{}")), items),
              new Message.Result("c1", "get_weather", "rain", true));

      assertThat(written(request, older).has("thinking")).isEqualTo(items != null);
    }
    JsonNode first = written(ModelRequest.of(new Message.User("Hi")), older);
    assertThat(first.at("/thinking/budget_tokens").asInt()).isEqualTo(2000);
    assertThat(first.path("max_tokens").asInt()).isEqualTo(18_384);
  }

  @ParameterizedTest
  @CsvSource({
    "none,{\"type\":\"disabled\"},",
    "between_tools,{\"type\":\"between_tools\"},",
    "low,{\"type\":\"adaptive\"},low"
  })
  void saysHowMuchToThink(String reasoning, String thinking, @Nullable String effort) {
    ModelRequest request = ModelRequest.of(new Message.User("Hi"));
    JsonNode body = written(request, ModelOptions.builder().reasoning(reasoning));

    assertThat(body.path("thinking")).isEqualTo(json(thinking));
    assertThat(body.at("/output_config/effort").asString(null)).isEqualTo(effort);
  }

  @Test
  void saysWhatAReplyMayHaveAndThatItCannotBeForced() {
    AnthropicModel usual = AnthropicModel.of("m", ModelOptions.builder().build());
    AnthropicModel stated =
        AnthropicModel.of("m", ModelOptions.builder().maxTokens(100).window(2_000).build());

    assertThat(usual.maxTokens()).isEqualTo(16_384);
    assertThat(usual.window()).isZero();
    assertThat(usual.forcesCalls()).isFalse();
    assertThat(stated.maxTokens()).isEqualTo(100);
    assertThat(stated.window()).isEqualTo(2_000);
  }

  @Test
  void declaresToolsThatMayNotBeCalledNow() {
    ModelRequest request =
        new ModelRequest(
            List.of(new Message.User("Hi")),
            List.of(),
            ModelRequest.ToolChoice.NONE,
            null,
            List.of(WEATHER),
            null);
    JsonNode body = written(request, ModelOptions.builder());

    assertThat(body.at("/tools/0/name").asString()).isEqualTo("get_weather");
    assertThat(body.path("tools")).hasSize(1);
    assertThat(body.at("/tool_choice/type").asString()).isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"type\":\"string\"}}}|true",
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}|false",
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"type\":\"object\"}}}|false",
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"minimum\":1}}}|false",
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"$ref\":\"#/$defs/a\"}},\"$defs\":{\"a\":{\"type\":\"string\"}}}|true",
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"$ref\":\"#/$defs/a\"}},\"$defs\":{\"a\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/a\"}}}}|false",
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"$ref\":\"#\"}}}|false"
      })
  void takesTheFormsThatTheApiTakes(String schema, boolean taken) {
    ModelOptions options =
        ModelOptions.builder().structured(ModelOptions.Structured.FORMAT).build();
    ModelRequest.ReplyFormat format =
        new ModelRequest.ReplyFormat("reply", Json.text(schema), false);

    assertThat(AnthropicModel.of("m", options).makes(format)).isEqualTo(taken);
    JsonNode body =
        written(
            new ModelRequest(
                List.of(new Message.User("Hi")), List.of(), ModelRequest.ToolChoice.NONE, format),
            ModelOptions.builder().reasoning("high"));
    assertThat(body.at("/output_config/format/schema")).isEqualTo(json(schema));
    assertThat(body.at("/output_config/effort").asString()).isEqualTo("high");
  }

  private static JsonNode turns(Message... messages) {
    return written(messages).path("messages");
  }

  private static JsonNode written(Message... messages) {
    return written(ModelRequest.of(messages));
  }

  private static JsonNode written(ModelRequest request) {
    return written(request, ModelOptions.builder().caching(false));
  }

  private static JsonNode written(ModelRequest request, ModelOptions.Builder builder) {
    return Json.text(new MessagesRequest("m", builder.build(), BY).of(request).text()).tree();
  }

  private static ProviderItems items(String by, String... entries) {
    return ProviderItems.of(
        by, Stream.of(entries).map(entry -> Json.text(entry.replace('\'', '"'))).toList());
  }

  private static JsonNode json(String text) {
    return Json.text(text).tree();
  }
}
