package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.provider.SdkPrograms.Request;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Our requests, as literals of the types that the providers' packages have for them.
@Tag("servers")
class SdkTypesTest {
  private static final List<Request> SENT =
      Stream.of(Sdk.values()).flatMap(sdk -> SdkTalks.requests(sdk).stream()).toList();
  private static final List<Request> RECORDED = recorded();
  private static final List<Request> WRONG =
      List.of(
          responses("an unknown member", "\"max_tokens\":3"),
          responses("an unknown word", "\"reasoning\":{\"effort\":\"most\"}"),
          responses("a tool without strict", "\"tools\":[{\"type\":\"function\",\"name\":\"a\"}]"),
          responses("reasoning without summary", "\"input\":[{\"type\":\"reasoning\"}]"),
          responses(
              "reasoning of another form",
              "\"input\":[{\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":3}]"),
          responses(
              "content of chat",
              "\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":"
                  + "[{\"type\":\"text\",\"text\":\"Hi\"}]}]"),
          responses("a choice of chat", "\"tool_choice\":{\"type\":\"function\",\"function\":{}}"),
          request("an unknown member", Sdk.CHAT, "\"messages\":[],\"max_output_tokens\":3"),
          request(
              "an unknown role", Sdk.CHAT, "\"messages\":[{\"role\":\"notice\",\"content\":\"\"}]"),
          request("no limit", Sdk.ANTHROPIC, "\"messages\":[],\"stream\":true"),
          anthropic("an unknown member", "\"messages\":[],\"effort\":\"low\""),
          anthropic(
              "thinking without signature",
              "\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\","
                  + "\"thinking\":\"\"}]}]"),
          anthropic(
              "a role of OpenAI", "\"messages\":[{\"role\":\"developer\",\"content\":\"Hi\"}]"),
          anthropic(
              "arguments as text",
              "\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","
                  + "\"id\":\"a\",\"name\":\"a\",\"input\":1,\"arguments\":\"{}\"}]}]"));

  private static List<List<String>> errors = List.of();

  private static Request responses(String name, String members) {
    return request(name, Sdk.RESPONSES, "\"stream\":true," + members);
  }

  private static Request anthropic(String name, String members) {
    return request(name, Sdk.ANTHROPIC, "\"stream\":true,\"max_tokens\":9," + members);
  }

  private static Request request(String name, Sdk sdk, String members) {
    return new Request(name, sdk, Json.text("{\"model\":\"m\"," + members + "}").tree());
  }

  private static List<Request> recorded() {
    Set<JsonNode> bodies = new LinkedHashSet<>();
    List<Request> requests = new ArrayList<>();
    Exchange.all()
        .forEach((name, exchange) -> {
          if (!exchange.path().endsWith("/embeddings") && bodies.add(exchange.body())) {
            requests.add(new Request(name, Sdk.of(exchange.path()), exchange.body()));
          }
        });
    return requests;
  }

  @BeforeAll
  static void compile(@TempDir Path folder) {
    List<Request> all =
        Stream.of(SENT, RECORDED, WRONG)
            .flatMap(List::stream)
            .map(SdkTypesTest::identified)
            .toList();
    errors = SdkPrograms.typeErrors(all, folder);
  }

  /// With the ids of reasoning, which the types require and we leave out: a provider that stores
  /// nothing refuses them.
  private static Request identified(Request request) {
    JsonNode body = request.body().deepCopy();
    for (JsonNode item : body.path("input")) {
      if (item.path("type").asString("").equals("reasoning")) {
        assertThat(item.has("id")).isFalse();
        ((ObjectNode) item).put("id", "rs_1");
      }
    }
    return new Request(request.name(), request.sdk(), body);
  }

  private static List<String> wrong(List<Request> requests, int from) {
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      Request request = requests.get(i);
      errors
          .get(from + i)
          .forEach(error ->
              wrong.add(
                  request.sdk() + ", " + request.name() + ": " + error + "\n" + request.body()));
    }
    return wrong;
  }

  @Test
  void eachKindOfRequestIsOfItsType() {
    assertThat(SENT).hasSizeGreaterThan(100);
    assertThat(wrong(SENT, 0)).isEmpty();
  }

  @Test
  void eachRecordedRequestIsOfItsType() {
    assertThat(RECORDED).extracting(Request::sdk).contains(Sdk.values());
    assertThat(wrong(RECORDED, SENT.size())).isEmpty();
  }

  @Test
  void aWrongRequestIsNot() {
    for (int i = 0; i < WRONG.size(); i++) {
      assertThat(errors.get(SENT.size() + RECORDED.size() + i))
          .as(WRONG.get(i).toString())
          .isNotEmpty();
    }
  }
}
