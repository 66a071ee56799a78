package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A conversation of the `chat` command that outgrows its model, each message in a new process.
class LongConversationTest {
  private static final int MOST_CHARACTERS = 6_000;

  @TempDir Path folder;
  private final StubWebhook service = StubWebhook.start().answer(LongConversationTest::answer);

  @AfterEach
  void close() {
    service.close();
  }

  /// As providers refuse what is longer than their window.
  private static StubAnswer answer(StubRequest request) {
    JsonNode body = Json.text(request.body()).tree();
    int characters = 0;
    for (JsonNode message : body.path("messages")) {
      characters += message.path("content").asString("").length();
    }
    if (characters > MOST_CHARACTERS && !body.path("model").asString().equals("roomy")) {
      return StubAnswer.of(
          400,
          """
          {"error":{"message":"This model's maximum context length is 1500 tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}\
          """
              .formatted(characters / 4));
    }
    return StubAnswer.of(
            200,
            """
            data: {"choices":[{"index":0,"delta":{"content":"Noted."},"finish_reason":"stop"}]}

            data: [DONE]

            """)
        .contentType("text/event-stream");
  }

  private String agent(String more) throws IOException {
    Path file = folder.resolve("long.toml");
    Files.writeString(
        file,
        """
        [agent]
        name = "Clerk"
        model = { provider = "openai", name = "small", base_url = "%s" }
        %s
        [storage]
        url = "sqlite:long.db"
        """
            .formatted(service.url("/v1"), more));
    return file.toString();
  }

  private Cli say(String agent, int characters) {
    return Cli.run("chat", agent, "--conversation", "c", "-m", "x".repeat(characters));
  }

  @Test
  void goesOnThoughEveryMessageMakesItLonger() throws IOException {
    String agent = agent("");
    boolean told = false;
    for (int message = 1; message <= 12; message++) {
      Cli said = say(agent, 1_000);
      assertThat(said.exit()).as(said.err()).isZero();
      assertThat(said.out()).contains("Noted.");
      told |= said.err().contains("  left out older messages: about ");
    }
    assertThat(told).isTrue();
  }

  @Test
  void aMessageThatIsTooLongIsTold() throws IOException {
    String agent = agent("");
    Cli first = say(agent, 7_000);
    assertThat(first.out() + first.err())
        .contains("This is too much text for the language model at once. Please send less.");
    Cli later = say(agent, 100);
    assertThat(later.exit()).as(later.err()).isZero();
    assertThat(later.out()).contains("Noted.");
  }

  @Test
  void aFallbackReadsWhatTheFirstCannot() throws IOException {
    String agent =
        agent(
            "fallback = [{ provider = \"openai\", name = \"roomy\", base_url = \"%s\" }]"
                .formatted(service.url("/v1")));
    Cli first = say(agent, 7_000);
    assertThat(first.exit()).as(first.err()).isZero();
    assertThat(first.out()).contains("Noted.");
  }
}
