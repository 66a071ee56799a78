package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class ChatRequestTest {
  private static final ToolDefinition WEATHER =
      Tool.dynamic(
              "get_weather",
              "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}")
          .description("Looks out.")
          .handler(arguments -> "rain")
          .definition();

  @Test
  void writesEveryKindOfMessage() {
    JsonNode messages =
        written(
                new Message.System("Be kind."),
                new Message.User("Rain?"),
                new Message.Assistant(
                    "", List.of(RequestedCall.of("c1", "get_weather", "{\"city\":\"Oslo\"}"))),
                new Message.Result("c1", "get_weather", "rain", true),
                new Message.Notice("Be brief."),
                new Message.Assistant("Yes.", List.of()))
            .path("messages");

    assertThat(messages)
        .isEqualTo(
            json(
                """
                [{"role":"system","content":"Be kind."},
                 {"role":"user","content":"Rain?"},
                 {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
                   "function":{"name":"get_weather","arguments":"{\\"city\\":\\"Oslo\\"}"}}]},
                 {"role":"tool","tool_call_id":"c1","content":"rain"},
                 {"role":"system","content":"Be brief."},
                 {"role":"assistant","content":"Yes."}]
                """));
  }

  @Test
  void keepsTheWordsBesideCalls() {
    assertThat(calling(RequestedCall.of("c1", "t", "{}"), "Let me see.").at("/content").asString())
        .isEqualTo("Let me see.");
  }

  @Test
  void sendsArgumentsAsTheTextThatCame() {
    String text = "{ \"city\" : \"Oslo\" }";
    JsonNode message = calling(RequestedCall.of("c1", "t", text), "");

    assertThat(message.at("/tool_calls/0/function/arguments").asString()).isEqualTo(text);
  }

  @Test
  void sendsBackWhatTheProviderWantsToSeeAgain() {
    Json extra =
        Json.text("{\"extra_content\":{\"google\":{\"thought_signature\":\"abc\"}},\"id\":\"x\"}");
    JsonNode call = calling(new RequestedCall("c1", "t", Json.text("{}"), extra), false);

    assertThat(call.at("/extra_content/google/thought_signature").asString()).isEqualTo("abc");
    assertThat(call.path("id").asString()).isEqualTo("c1");
  }

  @Test
  void sendsNoOneWhatAnotherProviderWantsToSeeAgain() {
    Json ofAnthropic = Json.text("{\"anthropic:thinking\":[],\"extra_content\":1}");
    RequestedCall call = new RequestedCall("c1", "t", Json.text("{}"), ofAnthropic);

    assertThat(calling(call, false).has("anthropic:thinking")).isFalse();
    assertThat(calling(call, true).propertyNames()).containsOnly("id", "type", "function");
  }

  @Test
  void writesImagesDocumentsAndTexts() {
    Message.User said =
        new Message.User(
            "Look:",
            Message.Attachment.of("image/gif", "GIF89a".getBytes(StandardCharsets.US_ASCII)),
            Message.Attachment.of("application/pdf", "%PDF-1".getBytes(StandardCharsets.US_ASCII))
                .named("a.pdf"),
            Message.Attachment.of("text/plain", "Hi".getBytes(StandardCharsets.US_ASCII))
                .named("a.txt"));

    assertThat(written(said).at("/messages/0/content"))
        .isEqualTo(
            json(
                """
                [{"type":"text","text":"Look:"},
                 {"type":"image_url","image_url":{"url":"data:image/gif;base64,R0lGODlh"}},
                 {"type":"file","file":{"filename":"a.pdf",
                   "file_data":"data:application/pdf;base64,JVBERi0x"}},
                 {"type":"text","text":"File 'a.txt':\\nHi"}]
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false} | true | true",
        "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false} | false | false",
        "{\"type\":\"object\",\"properties\":{\"a\":{\"minLength\":1}}} | true | false",
        "{\"type\":\"object\",\"anyOf\":[{}]} | true | false"
      })
  void statesTheFormOfAReplyStrictlyWhereThatIsTaken(String schema, boolean strict, boolean told) {
    ModelRequest request =
        new ModelRequest(
            List.of(new Message.User("Hello")),
            List.of(),
            ModelRequest.ToolChoice.NONE,
            new ModelRequest.ReplyFormat("reply", Json.text(schema), strict));

    JsonNode format = written(request, options(), false).path("response_format");

    assertThat(format.path("type").asString()).isEqualTo("json_schema");
    assertThat(format.at("/json_schema/name").asString()).isEqualTo("reply");
    assertThat(format.at("/json_schema/schema")).isEqualTo(json(schema));
    assertThat(format.at("/json_schema/strict").booleanValue()).isEqualTo(told);
  }

  @Test
  void neverSendsAnEmptyResult() {
    JsonNode result = written(new Message.Result("c1", "t", "", true)).at("/messages/0/content");

    assertThat(result.asString()).isNotEmpty();
  }

  @Test
  void offersToolsWithTheirWholeSchema() {
    JsonNode body = written(request(ModelRequest.ToolChoice.AUTO, WEATHER), options(), false);

    assertThat(body.path("tools"))
        .isEqualTo(
            json(
                """
                [{"type":"function","function":{"name":"get_weather","description":"Looks out.",
                  "parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]
                """));
  }

  @Test
  void saysStrictOnlyWhereTheToolIs() {
    ToolDefinition strict =
        Tool.dynamic(
                "t",
                """
                {"type":"object","properties":{},"required":[],"additionalProperties":false}\
                """)
            .strict()
            .handler(arguments -> 1)
            .definition();
    JsonNode tools =
        written(request(ModelRequest.ToolChoice.AUTO, strict, WEATHER), options(), false)
            .path("tools");

    assertThat(tools.at("/0/function/strict").asBoolean()).isTrue();
    assertThat(tools.at("/1/function").has("strict")).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void namesTheChoice(ModelRequest.ToolChoice choice) {
    assertThat(written(request(choice, WEATHER), options(), false).path("tool_choice").asString())
        .isEqualTo(choice.name().toLowerCase(java.util.Locale.ROOT));
  }

  @Test
  void saysNothingOfToolsWhereThereAreNone() {
    JsonNode body = written(new Message.User("Hello"));

    assertThat(body.propertyNames()).containsExactly("model", "messages");
  }

  @Test
  void asksForUsageOfAStream() {
    JsonNode body = written(ModelRequest.of(new Message.User("Hello")), options(), true);

    assertThat(body.path("stream").asBoolean()).isTrue();
    assertThat(body.at("/stream_options/include_usage").asBoolean()).isTrue();
  }

  @Test
  void namesTheLimitOfTokensAsTheServerKnowsIt() {
    ModelOptions options = ModelOptions.builder().maxTokens(100).temperature(0.5).build();
    ModelRequest request = ModelRequest.of(new Message.User("Hello"));

    JsonNode own = request(options, true, false).of(request).tree();
    JsonNode other = request(options, false, false).of(request).tree();

    assertThat(own.path("max_completion_tokens").asInt()).isEqualTo(100);
    assertThat(own.path("temperature").asDouble()).isEqualTo(0.5);
    assertThat(own.has("max_tokens")).isFalse();
    assertThat(other.path("max_tokens").asInt()).isEqualTo(100);
    assertThat(other.has("max_completion_tokens")).isFalse();
  }

  @Test
  void sendsOpenAiShorterIdsThanOtherServersGive() {
    String id = "c".repeat(46);
    ModelRequest request =
        ModelRequest.of(
            new Message.Assistant("", List.of(RequestedCall.of(id, "t", "{}"))),
            new Message.Result(id, "t", "rain", true));

    JsonNode own = request(options(), true, false).of(request).tree();
    JsonNode other = request(options(), false, false).of(request).tree();

    assertThat(own.at("/messages/0/tool_calls/0/id").asString()).hasSizeLessThanOrEqualTo(40);
    assertThat(own.at("/messages/1/tool_call_id")).isEqualTo(own.at("/messages/0/tool_calls/0/id"));
    assertThat(other.at("/messages/0/tool_calls/0/id").asString()).isEqualTo(id);
    assertThat(other.at("/messages/1/tool_call_id").asString()).isEqualTo(id);
  }

  /// @param own whether it goes to OpenAI itself
  private static JsonNode calling(RequestedCall call, boolean own) {
    ModelRequest request = ModelRequest.of(new Message.Assistant("", List.of(call)));
    return request(options(), own, false).of(request).tree().at("/messages/0/tool_calls/0");
  }

  private static JsonNode calling(RequestedCall call, String text) {
    return written(new Message.Assistant(text, List.of(call))).at("/messages/0");
  }

  private static JsonNode written(Message... messages) {
    return written(ModelRequest.of(messages), options(), false);
  }

  private static JsonNode written(ModelRequest request, ModelOptions options, boolean streamed) {
    return Json.text(request(options, true, streamed).of(request).text()).tree();
  }

  private static ModelRequest request(ModelRequest.ToolChoice choice, ToolDefinition... tools) {
    return new ModelRequest(List.of(new Message.User("Rain?")), List.of(tools), choice);
  }

  private static ModelOptions options() {
    return ModelOptions.builder().build();
  }

  private static JsonNode json(String text) {
    return Json.text(text).tree();
  }

  private static ChatRequest request(ModelOptions options, boolean own, boolean streamed) {
    return new ChatRequest(
        "m", options, own, streamed, "chat/h/m", ChatRequest.Reasoning.KEPT, false);
  }
}
