package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Ports;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// An agent with a budget for each day: a chat reaches its limit, and a server that shares its
/// database is told to go on.
class BudgetCommandTest {
  @TempDir Path folder;
  // Each reply costs 0.6: 0.5 for what is read, 0.1 for what is written.
  private final StubWebhook service =
      StubWebhook.start()
          .answer(request ->
              StubAnswer.of(
                      200,
                      """
                      data: {"choices":[{"index":0,"delta":{"content":"Noted."},"finish_reason":"stop"}]}

                      data: {"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":100}}

                      data: [DONE]

                      """)
                  .contentType("text/event-stream"));

  @AfterEach
  void close() {
    service.close();
  }

  private String agent(String then) throws IOException {
    Path file = folder.resolve("clerk.toml");
    Files.writeString(
        file,
        """
        [agent]
        name = "Clerk"
        model = { provider = "openai", name = "small", base_url = "%s" }

        [agent.budget]
        day = { cost = 1.0 }
        then = "%s"

        [agent.prices]
        "openai:small" = { input = 500, output = 1000 }

        [storage]
        url = "sqlite:clerk.db"
        """
            .formatted(service.url("/v1"), then));
    return file.toString();
  }

  private Cli say(String agent, String words) {
    return Cli.run("chat", agent, "--conversation", "c", "-m", words);
  }

  @Test
  void aChatSaysThatItStops() throws IOException {
    String agent = agent("stop");
    assertThat(say(agent, "One").out()).contains("Noted.");
    Cli stopped = say(agent, "Two");
    assertThat(stopped.out() + stopped.err())
        .contains("I have to stop here: my budget is used up.");
    assertThat(stopped.exit()).isNotZero();
    assertThat(service.requests()).hasSize(1);
  }

  @Test
  void goesOnWhereAPersonAgreesInAnotherProcessAndStopsWhereOneDoesNot() throws IOException {
    String agent = agent("ask");
    assertThat(say(agent, "One").out()).contains("Noted.");
    Cli parked = say(agent, "Two");
    assertThat(parked.out() + parked.err()).contains("continue_spending");
    assertThat(service.requests()).hasSize(1);

    int port = Ports.free();
    try (Serving server = Serving.of(folder, agent, "--management-port", "" + port)) {
      String asked = answer(server, "{\"decision\":\"approve\"}");
      assertThat(asked).contains("\"scope\":\"day\"").contains("\"cost\":1.0");
      Awaitility.await().until(() -> service.requests().size() == 2 && isIdle(server));
      // 1.2 of 2.0, and 0.5 for the next.
      assertThat(say(server, "Three")).contains("Noted.");
      assertThat(say(server, "Four")).contains("consent_pending");
      String again = answer(server, "{\"decision\":\"deny\"}");
      assertThat(again).contains("\"cost\":2.0").contains("\"cost\":1.8");
      Awaitility.await().until(() -> isIdle(server));
      assertThat(server.get("/v1/conversations/c/events?limit=1000").toString())
          .contains(
              "\"code\":\"budget\",\"scope\":\"day\",\"limit\":{\"cost\":2.0},\"spent\":{\"cost\":1.8}");
      assertThat(service.requests()).hasSize(3);
      // Two of the three requests were the server's.
      assertThat(figures(server, port))
          .contains(
              "switchboard_tokens_total{agent=\"Clerk\",model=\"openai:small\",type=\"input\"}"
                  + " 2000.0",
              "switchboard_tokens_total{agent=\"Clerk\",model=\"openai:small\",type=\"output\"}"
                  + " 200.0",
              "switchboard_cost_total{agent=\"Clerk\",model=\"openai:small\"} 1.2",
              "switchboard_turns_total{agent=\"Clerk\",stop_reason=\"budget\"} 1");
    }
  }

  private static String say(Serving server, String words) throws IOException {
    return server
        .send(
            server
                .request("/v1/conversations/c/turns")
                .header("Accept", "text/event-stream")
                .header("Idempotency-Key", words)
                .header("X-Act-For", "local")
                .POST(BodyPublishers.ofString("{\"text\":\"" + words + "\"}"))
                .build())
        .body();
  }

  private static boolean isIdle(Serving server) throws IOException {
    return server.get("/v1/conversations/c").path("status").asString().equals("idle");
  }

  /// Answers the one open request; returns it.
  private static String answer(Serving server, String answer) throws IOException {
    JsonNode open = server.get("/v1/approvals");
    String id = open.path("items").path(0).path("id").asString();
    JsonNode answered = server.post("/v1/approvals/" + id, answer);
    assertThat(answered.toString()).doesNotContain("problem");
    return open.toString();
  }

  private static String figures(Serving server, int port) throws IOException {
    URI address = URI.create("http://127.0.0.1:" + port + "/metrics");
    return server.send(HttpRequest.newBuilder(address).build()).body();
  }
}
