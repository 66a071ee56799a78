package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ResponsesRequestTest {
  private static final String BY = "responses/h/m";
  private static final ToolDefinition WEATHER =
      Tool.dynamic(
              "get_weather",
              "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}")
          .description("Looks out.")
          .handler(arguments -> "rain")
          .definition();
  private static final ToolDefinition TIME =
      Tool.dynamic("get_time").handler(arguments -> "12").definition();

  private static ModelOptions options() {
    return ModelOptions.builder().build();
  }

  private static JsonNode json(String text) {
    return Json.text(text).tree();
  }

  private static JsonNode written(ModelRequest request) {
    return written(request, options());
  }

  private static JsonNode written(ModelRequest request, ModelOptions options) {
    ResponsesRequest body = new ResponsesRequest("m", options, BY, true, false);
    return json(body.of(request).text());
  }

  private static JsonNode input(Message... messages) {
    return written(ModelRequest.of(messages)).path("input");
  }

  private static Message.Assistant said(
      String text, List<RequestedCall> calls, String by, String... entries) {
    List<Json> all = List.of(entries).stream().map(Json::text).toList();
    return new Message.Assistant(text, calls, ProviderItems.of(by, all));
  }

  @Test
  void writesEveryKindOfMessage() {
    assertThat(
            input(
                new Message.System("Be kind."),
                new Message.User("Rain?"),
                new Message.Assistant(
                    "Let me see.",
                    List.of(RequestedCall.of("c1", "get_weather", "{\"city\":\"Oslo\"}"))),
                new Message.Result("c1", "get_weather", "rain", true),
                new Message.Notice("Be brief."),
                new Message.Assistant("Yes.", List.of())))
        .isEqualTo(
            json(
                """
                [{"type":"message","role":"developer","content":"Be kind."},
                 {"type":"message","role":"user",
                   "content":[{"type":"input_text","text":"Rain?"}]},
                 {"type":"message","role":"assistant","content":"Let me see."},
                 {"type":"function_call","call_id":"c1","name":"get_weather",
                   "arguments":"{\\"city\\":\\"Oslo\\"}"},
                 {"type":"function_call_output","call_id":"c1","output":"rain"},
                 {"type":"message","role":"developer","content":"Be brief."},
                 {"type":"message","role":"assistant","content":"Yes."}]
                """));
  }

  @Test
  void sendsShorterIdsThanOtherServersGive() {
    String id = "c".repeat(65);

    JsonNode input =
        input(
            new Message.Assistant("", List.of(RequestedCall.of(id, "t", "{}"))),
            new Message.Result(id, "t", "rain", true));

    assertThat(input.at("/0/call_id").asString()).hasSizeLessThanOrEqualTo(64);
    assertThat(input.at("/1/call_id")).isEqualTo(input.at("/0/call_id"));
  }

  @Test
  void writesFiles() {
    Message.Attachment image =
        Message.Attachment.of("image/gif", "GIF89a".getBytes(StandardCharsets.US_ASCII));
    Message.Attachment document =
        Message.Attachment.of("application/pdf", "%PDF-1".getBytes(StandardCharsets.US_ASCII));
    Message.Attachment text =
        Message.Attachment.of("text/plain", "Lunch".getBytes(StandardCharsets.US_ASCII));

    JsonNode content =
        input(new Message.User("", image, document.named("a.pdf"), document, text))
            .at("/0/content");

    assertThat(content)
        .isEqualTo(
            json(
                """
                [{"type":"input_image","image_url":"data:image/gif;base64,R0lGODlh",
                   "detail":"auto"},
                 {"type":"input_file","filename":"a.pdf",
                   "file_data":"data:application/pdf;base64,JVBERi0x"},
                 {"type":"input_file","filename":"document.pdf",
                   "file_data":"data:application/pdf;base64,JVBERi0x"},
                 {"type":"input_text","text":"File 'text':\\nLunch"}]
                """));
  }

  @Test
  void sendsItemsInTheirOrderWithoutIds() {
    Message said =
        said(
            "Looking.\n\nStill.",
            List.of(RequestedCall.of("c1", "get_time", "{}")),
            BY,
            "{\"item\":{\"type\":\"reasoning\",\"id\":\"rs_1\",\"encrypted_content\":\"E\","
                + "\"content\":[],\"status\":\"completed\"}}",
            "{\"text\":8,\"phase\":\"commentary\"}",
            "{\"item\":{\"type\":\"web_thing\",\"id\":\"wt_1\",\"action\":{\"id\":\"x\"}}}",
            "{\"text\":6}",
            "{\"item\":{\"type\":\"reasoning\",\"id\":\"rs_2\",\"summary\":[{\"text\":\"s\"}],"
                + "\"content\":[{\"type\":\"reasoning_text\",\"text\":\"t\"}]}}",
            "{\"call\":0}");

    assertThat(input(said, new Message.Result("c1", "get_time", "", true)))
        .isEqualTo(
            json(
                """
                [{"type":"reasoning","encrypted_content":"E","summary":[]},
                 {"type":"message","role":"assistant","content":"Looking.","phase":"commentary"},
                 {"type":"web_thing","action":{"id":"x"}},
                 {"type":"message","role":"assistant","content":"Still."},
                 {"type":"reasoning","summary":[{"text":"s"}],
                   "content":[{"type":"reasoning_text","text":"t"}]},
                 {"type":"function_call","call_id":"c1","name":"get_time","arguments":"{}"},
                 {"type":"function_call_output","call_id":"c1","output":"(empty)"}]
                """));
  }

  @Test
  void sendsItemsToTheirModelAlone() {
    String item = "{\"item\":{\"type\":\"reasoning\",\"encrypted_content\":\"E\"}}";
    for (String other : List.of("responses/h/other", "responses/i/m", "chat/h/m")) {
      assertThat(input(said("Hi.", List.of(), other, item, "{\"text\":3}")))
          .isEqualTo(json("[{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"Hi.\"}]"));
    }
    ProviderItems later = new ProviderItems(BY, 2, false, List.of(Json.text(item)));
    assertThat(input(new Message.Assistant("Hi.", List.of(), later))).hasSize(1);
  }

  @Test
  void sendsIdsWhereTheyAreNeeded() {
    Message said =
        said(
            "Hi.",
            List.of(),
            BY,
            "{\"item\":{\"type\":\"reasoning\",\"id\":\"rs_1\",\"encrypted_content\":\"E\"}}",
            "{\"text\":3}");
    ResponsesRequest body = new ResponsesRequest("m", options(), BY, true, true);

    assertThat(body.of(ModelRequest.of(said)).tree().at("/input/0/id").asString())
        .isEqualTo("rs_1");
  }

  @Test
  void storesNothingAndAsksForEncryptedReasoning() {
    JsonNode body = written(ModelRequest.of(new Message.User("Hi")));

    assertThat(body.path("store").asBoolean(true)).isFalse();
    assertThat(body.path("stream").asBoolean(false)).isTrue();
    assertThat(body.path("include")).isEqualTo(json("[\"reasoning.encrypted_content\"]"));
    assertThat(body.propertyNames())
        .containsExactlyInAnyOrder("model", "store", "stream", "include", "input");
    ResponsesRequest plain = new ResponsesRequest("m", options(), BY, false, false);
    assertThat(plain.of(ModelRequest.of()).tree().has("include")).isFalse();
  }

  private static JsonNode offering(List<ToolDefinition> tools, ToolChoice choice) {
    return written(
        new ModelRequest(List.of(), tools, choice).declaring(List.of(WEATHER, TIME), "k"));
  }

  @Test
  void declaresAllToolsAndSaysWhichMayBeCalled() {
    List<ToolDefinition> all = List.of(WEATHER, TIME);

    assertThat(offering(all, ToolChoice.AUTO).path("tools"))
        .isEqualTo(
            json(
                """
                [{"type":"function","name":"get_weather","description":"Looks out.",
                   "parameters":%s,"strict":false},
                 {"type":"function","name":"get_time","parameters":%s,"strict":false}]
                """
                    .formatted(WEATHER.parameters().text(), TIME.parameters().text())));
    assertThat(offering(all, ToolChoice.AUTO).path("tool_choice").asString()).isEqualTo("auto");
    assertThat(offering(all, ToolChoice.REQUIRED).path("tool_choice").asString())
        .isEqualTo("required");
    assertThat(offering(List.of(), ToolChoice.AUTO).path("tool_choice").asString())
        .isEqualTo("none");
    for (ToolChoice choice : List.of(ToolChoice.AUTO, ToolChoice.REQUIRED)) {
      JsonNode body = offering(List.of(TIME), choice);
      assertThat(body.path("tools")).hasSize(2);
      assertThat(body.path("tool_choice"))
          .isEqualTo(
              json(
                  """
                  {"type":"allowed_tools","mode":"%s",
                   "tools":[{"type":"function","name":"get_time"}]}
                  """
                      .formatted(choice == ToolChoice.AUTO ? "auto" : "required")));
    }
  }

  @Test
  void marksStrictTools() {
    ToolDefinition strict =
        Tool.typed("note", Note.class).strict().handler(note -> "").definition();
    ModelRequest request = new ModelRequest(List.of(), List.of(strict), ToolChoice.AUTO);

    assertThat(written(request).at("/tools/0/strict").asBoolean(false)).isTrue();
  }

  record Note(String text) {}

  @Test
  void writesFormatAndCacheKey() {
    Json schema =
        Json.text("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}");
    ModelRequest request =
        ModelRequest.of(new Message.User("Hi"))
            .withFormat(new ModelRequest.ReplyFormat("reply", schema, true))
            .declaring(List.of(), "0123");
    ModelOptions options =
        ModelOptions.builder().more(Json.text("{\"text\":{\"verbosity\":\"low\"}}")).build();

    assertThat(written(request, options).path("text"))
        .isEqualTo(
            json(
                """
                {"format":{"type":"json_schema","name":"reply","strict":true,"schema":%s},
                 "verbosity":"low"}
                """
                    .formatted(schema.text())));
    assertThat(written(request).path("prompt_cache_key").asString()).isEqualTo("0123");
    Json open = Json.text("{\"type\":\"object\",\"minProperties\":1}");
    assertThat(
            written(request.withFormat(new ModelRequest.ReplyFormat("reply", open, true)))
                .at("/text/format/strict")
                .asBoolean(true))
        .isFalse();
  }
}
