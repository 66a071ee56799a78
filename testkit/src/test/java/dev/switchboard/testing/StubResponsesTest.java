package dev.switchboard.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class StubResponsesTest {
  private static final String USER = "{\"type\":\"message\",\"role\":\"user\",\"content\":\"Hi\"}";
  private static final String REASONING =
      "{\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"enc1\"}";
  private static final String CALL =
      "{\"type\":\"function_call\",\"call_id\":\"call_1\",\"name\":\"a\",\"arguments\":\"{}\"}";
  private static final String RESULT =
      "{\"type\":\"function_call_output\",\"call_id\":\"call_1\",\"output\":\"1\"}";

  private final StubResponses server = StubResponses.start();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @AfterEach
  void close() {
    server.close();
    http.close();
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> ask(String more, String... input) throws Exception {
    return post(
        "/responses",
        "{\"model\":\"m\",\"include\":[\"reasoning.encrypted_content\"],\"input\":["
            + String.join(",", input)
            + "]"
            + more
            + "}");
  }

  private static JsonNode json(HttpResponse<String> response) {
    return Json.text(response.body()).tree();
  }

  @Test
  void streamsAReplyThatBeginsWithReasoning() throws Exception {
    server.says("Let me see. \ud83d\ude00 So.").and().calls("a", "{}");

    String body = ask(",\"stream\":true", USER).body();

    assertThat(body)
        .contains("event: response.created\n")
        .contains("\"delta\":\"Let me \"", "\"delta\":\"see. \ud83d\ude00 \"", "\"delta\":\"So.\"")
        .endsWith("\n\n");
    JsonNode last =
        Json.text(body.substring(body.lastIndexOf("data: ") + "data: ".length()).strip()).tree();
    assertThat(last.path("type").asString()).isEqualTo("response.completed");
    assertThat(last.at("/response/output"))
        .extracting(item -> item.path("type").asString())
        .containsExactly("reasoning", "message", "function_call");
    assertThat(last.at("/response/output/0/encrypted_content").asString()).isEqualTo("enc1");
    server.assertDone();
  }

  @Test
  void usesReasoningBehindWhatItStoodBehind() throws Exception {
    server.calls("a", "{}").says("1.").says("Bye.");
    ask("", USER);
    JsonNode second = json(ask("", USER, REASONING, CALL, RESULT));

    assertThat(second.at("/output/1/content/0/text").asString()).isEqualTo("1.");
    assertThat(second.path("input_transformations")).isEmpty();
    assertThat(server.dropped()).isEmpty();
    assertThat(server.requests()).hasSize(2);
    assertThatThrownBy(server::assertDone).hasMessageContaining("3 replies, and 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{\"type\":\"message\",\"role\":\"user\",\"content\":\"Ho\"} | ^^",
        "{\"type\":\"message\",\"role\":\"developer\",\"content\":\"Hi\"} | ^^",
        "{\"type\":\"message\",\"role\":\"user\",\"content\":\"Hi\"} |"
            + " ,\"tools\":[{\"type\":\"function\",\"name\":\"a\",\"parameters\":{},\"strict\":false}]",
        "{\"type\":\"message\",\"role\":\"user\",\"content\":\"Hi\"} |"
            + " ,\"text\":{\"format\":{\"type\":\"json_schema\"}}"
      })
  void dropsReasoningWithoutAnErrorBehindAChange(String first, String more) throws Exception {
    server.calls("a", "{}").says("1.");
    ask("", USER);

    JsonNode second = json(ask(more, first, REASONING, CALL, RESULT));

    assertThat(second.at("/input_transformations/0/reason").asString())
        .isEqualTo("prefix_mismatch");
    assertThat(server.dropped()).containsExactly("prefix_mismatch");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "R,U | ^^ | 400 | Item 'rs_enc1' of type 'reasoning' was provided without its required"
            + " following item.",
        "U,R | ^^ | 400 | without its required following item",
        "U,R,O | ^^ | 400 | without its required following item",
        "U,O | ^^ | 400 | No tool call found for function call output with call_id call_1.",
        "U,O,C | ^^ | 400 | No tool call found for function call output with call_id call_1.",
        "U,C | ^^ | 400 | No tool output found for function call call_1.",
        "U | ,\"max_tokens\":3 | 400 | Unknown parameter: 'max_tokens'.",
        "U,X | ^^ | 400 | Unknown parameter: 'input[1].extra'.",
        "U,I | ^^ | 404 | Item with id 'msg_1' not found.",
        "U,S | ^^ | 400 | Missing required parameter: 'input[1].summary'.",
        "U,F | ^^ | 400 | could not be verified",
        "U,P | ^^ | 400 | Invalid value: 'text'.",
        "U,T | ^^ | 400 | Invalid value: 'sing'.",
        "U | ,\"tools\":[{\"type\":\"function\",\"name\":\"a\",\"parameters\":{}}] | 400 | Missing"
            + " required parameter: 'tools[0].strict'.",
        "U | ,\"tool_choice\":{\"type\":\"allowed_tools\",\"tools\":[{\"name\":\"b\"}]} | 400 |"
            + " Tool choice 'b' not found in 'tools' parameter.",
        "U | ,\"tool_choice\":\"required\" | 400 | Tool choice is only allowed when"
      })
  void refusesWhatTheRealOneRefuses(String items, String more, int status, String message)
      throws Exception {
    server.says("Hi.").says("Ho.");
    ask("", USER);
    String[] input =
        Arrays.stream(items.split(",")).map(StubResponsesTest::item).toArray(String[]::new);

    HttpResponse<String> response = ask(more, input);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(json(response).at("/error/message").asString()).contains(message);
  }

  private static String item(String letter) {
    return switch (letter) {
      case "U" -> USER;
      case "R" -> REASONING;
      case "C" -> CALL;
      case "O" -> RESULT;
      case "X" -> USER.replace("}", ",\"extra\":1}");
      case "I" -> USER.replace("}", ",\"id\":\"msg_1\"}");
      case "S" -> REASONING.replace("\"summary\":[],", "");
      case "F" -> REASONING.replace("enc1", "enc9");
      case "P" -> USER.replace("\"Hi\"", "[{\"type\":\"text\",\"text\":\"Hi\"}]");
      default -> "{\"type\":\"sing\"}";
    };
  }

  @Test
  void refusesReasoningThatItHasForgotten() throws Exception {
    server.calls("a", "{}").says("1.");
    ask("", USER);
    server.forget();

    JsonNode error = json(ask("", USER, REASONING, CALL, RESULT)).path("error");

    assertThat(error.path("code").asString()).isEqualTo("invalid_encrypted_content");
  }

  @Test
  void mayNeedTheIdsOfReasoning() throws Exception {
    server.withIds().calls("a", "{}").says("1.");
    ask("", USER);
    String identified = REASONING.replace("}", ",\"id\":\"rs_enc1\"}");

    assertThat(ask("", USER, REASONING, CALL, RESULT).body()).contains("'input[1].id'");
    assertThat(ask("", USER, identified, CALL, RESULT).statusCode()).isEqualTo(200);
  }

  @Test
  void mayHaveNoReasoning() throws Exception {
    server.withoutReasoning().says("Hi.");

    assertThat(ask("", USER).body()).contains("Encrypted content is not supported");
    JsonNode whole = json(post("/responses", "{\"model\":\"m\",\"input\":[" + USER + "]}"));
    assertThat(whole.path("output")).hasSize(1);
  }

  @Test
  void failsByItsScript() throws Exception {
    server.fails(503, "server_is_overloaded", "Too many people.").says("Hi.");

    assertThat(ask("", USER).statusCode()).isEqualTo(503);
    assertThat(ask("", USER).statusCode()).isEqualTo(200);
    server.assertDone();
  }

  @Test
  void mayHaveAWindow() throws Exception {
    server.withWindow(20).says("Hi.");

    assertThat(ask("", USER, USER).body()).contains("context_length_exceeded");
    assertThat(ask("", USER).statusCode()).isEqualTo(200);
  }

  @Test
  void refersChatCompletionsToItself() throws Exception {
    HttpResponse<String> chat = post("/chat/completions", "{}");

    assertThat(chat.statusCode()).isEqualTo(400);
    assertThat(chat.body()).contains("/v1/responses");
    assertThat(post("/other", "{}").statusCode()).isEqualTo(404);
    assertThat(server.requests()).isEmpty();
  }
}
