package dev.switchboard.anthropic;

import static dev.switchboard.anthropic.BindingServer.call;
import static dev.switchboard.anthropic.BindingServer.text;
import static dev.switchboard.anthropic.BindingServer.thinking;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubResponses;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.Event;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A conversation with a model of OpenAI that fails at times, and one of Anthropic that answers
/// then. Each turn is of a process of its own.
class TwoProvidersTest {
  private final StubResponses openAi = StubResponses.start();
  private final StubWebhook entrance = StubWebhook.start().answer(this::passOn);
  private final BindingServer anthropic = new BindingServer(TwoProvidersTest::blocks);
  private final InProcessConversations store = new InProcessConversations();
  private final List<Event> events = new ArrayList<>();
  private volatile boolean down;

  @AfterEach
  void close() {
    entrance.close();
    openAi.close();
    anthropic.close();
  }

  /// The answer of OpenAI's server, which may be out of order.
  private StubAnswer passOn(StubRequest request) {
    if (down) {
      return StubAnswer.of(503, "{\"error\":{\"message\":\"Out of order\"}}");
    }
    HttpRequest same =
        HttpRequest.newBuilder(URI.create(openAi.url() + "/responses"))
            .POST(HttpRequest.BodyPublishers.ofString(request.body()))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(same, HttpResponse.BodyHandlers.ofString());
      return StubAnswer.of(answer.statusCode(), answer.body())
          .contentType(answer.headers().firstValue("Content-Type").orElse(""));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// A call to each question, and then words, always after thoughts.
  private static List<ObjectNode> blocks(JsonNode request) {
    JsonNode messages = request.path("messages");
    String last = messages.get(messages.size() - 1).path("content").toString();
    return last.contains("tool_result")
        ? List.of(thinking("So."), text("Rain."))
        : List.of(thinking(""), text("Let me see."), call("toolu_" + messages.size(), "get_rain"));
  }

  private static Tool tool(String name) {
    return Tool.dynamic(name, "{\"type\":\"object\"}").handler((arguments, context) -> "done");
  }

  private String say(String words) {
    ModelOptions options =
        ModelOptions.builder().baseUrl(entrance.url()).api(ModelOptions.Api.RESPONSES).build();
    try (Agent agent =
        Agent.builder("Desk")
            .prompt("You are a clerk.")
            .store(store)
            .tools(tool("get_rate"), tool("get_rain"))
            .model(OpenAiModel.of("gpt-6-luna", options))
            .fallback(anthropic.model("claude-haiku-5-5"))
            .build()) {
      return agent.conversation("c").say(words, events::add) instanceof Turn.Reply reply
          ? reply.text()
          : "no reply";
    }
  }

  private List<String> dropped() {
    return events.stream()
        .map(event -> event.json().text())
        .filter(text -> text.contains("reasoning_dropped"))
        .toList();
  }

  /// The encrypted reasoning in a request.
  private static List<String> reasoning(Json request) {
    return request.tree().path("input").findValuesAsString("encrypted_content");
  }

  @Test
  void eachGetsWhatItHasThoughtItself() {
    openAi.calls("get_rate", "{}").says("1.2").calls("get_rate", "{}").says("1.3").says("Bye.");

    assertThat(say("What is the rate?")).isEqualTo("1.2");
    down = true;
    assertThat(say("Will it rain?")).isEqualTo("Rain.");
    down = false;
    assertThat(say("What is the rate now?")).isEqualTo("1.3");
    down = true;
    assertThat(say("Will it rain tomorrow?")).isEqualTo("Rain.");
    down = false;
    assertThat(say("Goodbye.")).isEqualTo("Bye.");

    assertThat(openAi.requests())
        .extracting(TwoProvidersTest::reasoning)
        .containsExactly(
            List.of(),
            List.of("enc1"),
            List.of("enc1", "enc2"),
            List.of("enc1", "enc2", "enc3"),
            List.of("enc1", "enc2", "enc3", "enc4"));
    assertThat(openAi.requests().toString()).contains("Rain.").doesNotContain("signature", "So.");
    assertThat(openAi.dropped()).isEmpty();
    assertThat(anthropic.requests())
        .extracting(BindingServer::thoughts)
        .containsExactly(0, 1, 2, 3);
    assertThat(anthropic.requests().toString()).contains("1.2").doesNotContain("enc1");
    assertThat(anthropic.refusals()).isZero();
    assertThat(dropped()).isEmpty();
    openAi.assertDone();
  }

  @Test
  void whatIsRefusedIsLeftOutFromThenOn() {
    openAi.says("Hi.").says("1.2").says("1.3").says("1.4");
    say("Hello");
    openAi.forget();
    events.clear();

    assertThat(say("What is the rate?")).isEqualTo("1.2");
    assertThat(dropped()).hasSize(1).first().asString().contains("refused");
    assertThat(say("And now?")).isEqualTo("1.3");
    assertThat(say("And now?")).isEqualTo("1.4");

    assertThat(openAi.requests())
        .extracting(TwoProvidersTest::reasoning)
        .containsExactly(
            List.of(), List.of("enc1"), List.of(), List.of("enc2"), List.of("enc2", "enc3"));
    assertThat(dropped()).hasSize(1);
    assertThat(anthropic.requests()).isEmpty();
    assertThat(openAi.dropped()).isEmpty();
  }
}
