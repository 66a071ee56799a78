package dev.switchboard.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.memory.Block;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What a client of an agent's tools gets, over lines.
class StdioServerTest {
  private static final String ORDER =
      """
      {"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}\
      """;

  private final AtomicInteger deleted = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch cut = new CountDownLatch(1);
  private Agent agent;
  private LineClient client;

  @BeforeEach
  void start() throws Exception {
    agent =
        Agent.builder("shop")
            .prompt("You sell.")
            .blocks(List.of(Block.of("shop", "notes", Block.Kind.WORKING)))
            .builtIns("block")
            .tools(
                Tool.dynamic("get_order", ORDER)
                    .description("Looks up an order.")
                    .usageRule("Ask for the id.")
                    .handler((arguments, context) -> {
                      context.progress("looking");
                      return "order " + arguments.tree().path("id");
                    }),
                Tool.dynamic("delete_order", ORDER)
                    .mode(ToolMode.LOCAL)
                    .handler(arguments -> "deleted " + deleted.incrementAndGet()),
                Tool.dynamic("wait")
                    .mode(ToolMode.READ)
                    .timeout(Duration.ofMinutes(5))
                    .handler(arguments -> {
                      begun.countDown();
                      try {
                        new CountDownLatch(1).await();
                      } finally {
                        cut.countDown();
                      }
                      return "never";
                    }),
                Tool.dynamic("secret").handler(arguments -> "forbidden"),
                Tool.dynamic("once").handler(arguments -> "first"),
                Tool.dynamic("turn").handler(arguments -> "again"))
            .rules(
                ToolRule.forbidden("secret"),
                ToolRule.maxCalls("once", 1),
                ToolRule.maxCalls("turn", 1).scope(ToolRule.Scope.TURN))
            .store(new InProcessConversations())
            .build();
    client = new LineClient(agent);
  }

  @AfterEach
  void end() throws Exception {
    client.close();
    agent.close();
  }

  private static String call(String tool, String arguments) {
    return "\"name\":\"%s\",\"arguments\":%s".formatted(tool, arguments);
  }

  private JsonNode result(String tool, String arguments) throws Exception {
    return client.ask("tools/call", "{" + call(tool, arguments) + "}").path("result");
  }

  private static String text(JsonNode result) {
    return result.at("/content/0/text").asString("");
  }

  @Test
  void agreesOnARevision() throws Exception {
    assertThat(client.initialize("2025-06-18", "{}").path("protocolVersion").stringValue())
        .isEqualTo("2025-06-18");
    assertThat(client.initialize("1999-01-01", "{}").path("protocolVersion").stringValue())
        .isEqualTo("2025-11-25");
  }

  @Test
  void listsWhatTheRulesAllow() throws Exception {
    client.initialize("2025-11-25", "{}");

    JsonNode tools = client.ask("tools/list", "{}").at("/result/tools");

    assertThat(tools.toString()).contains("get_order").doesNotContain("\"secret\"");
    JsonNode order = tools.get(0);
    assertThat(order.path("description").stringValue())
        .isEqualTo("Looks up an order.\nAsk for the id.");
    assertThat(order.at("/annotations/readOnlyHint").booleanValue()).isTrue();
  }

  @Test
  void answersABatchOfTheRevisionThatHasThem() throws Exception {
    client.initialize("2025-03-26", "{}");
    client.send(
        "[{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"ping\"}]");
    JsonNode answers = client.hearBatch();
    assertThat(answers).hasSize(2);
    assertThat(answers.at("/1/id").asString()).isEqualTo("b");
  }

  @Test
  void runsACallAndTellsItsProgress() throws Exception {
    client.initialize("2025-11-25", "{}");

    JsonNode result =
        client
            .ask(
                "tools/call",
                "{" + call("get_order", "{\"id\":7}") + ",\"_meta\":{\"progressToken\":\"p\"}}")
            .path("result");

    assertThat(text(result)).isEqualTo("order 7");
    assertThat(result.path("isError").booleanValue()).isFalse();
    JsonNode progress = client.hear("notifications/progress").path("params");
    assertThat(progress.path("progressToken").stringValue()).isEqualTo("p");
    assertThat(progress.path("message").stringValue()).isEqualTo("looking");
  }

  @Test
  void nullIsTakenAsNoArguments() throws Exception {
    client.initialize("2025-11-25", "{}");

    assertThat(text(result("turn", "null"))).isEqualTo("again");
    JsonNode stateless = client.ask("tools/call", LineClient.stateless(call("turn", "null"), "{}"));
    assertThat(text(stateless.path("result"))).isEqualTo("again");
    String more = "{" + call("turn", "{}") + ",\"requestState\":null,\"inputResponses\":null}";
    assertThat(text(client.ask("tools/call", more).path("result"))).isEqualTo("again");
    for (String arguments : List.of("[]", "\"{}\"", "0", "false")) {
      JsonNode answer = client.ask("tools/call", "{" + call("turn", arguments) + "}");
      assertThat(answer.at("/error/code").intValue()).isEqualTo(-32602);
    }
  }

  @Test
  void namesWhatIsWrongWithArguments() throws Exception {
    client.initialize("2025-11-25", "{}");

    JsonNode result = result("get_order", "{\"id\":\"7\"}");

    assertThat(result.path("isError").booleanValue()).isTrue();
    assertThat(text(result))
        .contains("/id: expected integer, found string \"7\"")
        .doesNotStartWith("{");
  }

  @Test
  void refusesAToolThatIsNotThere() throws Exception {
    client.initialize("2025-11-25", "{}");

    JsonNode answer = client.ask("tools/call", "{" + call("get_ordr", "{}") + "}");

    assertThat(answer.at("/error/code").intValue()).isEqualTo(-32602);
    assertThat(answer.at("/error/message").stringValue()).contains("did you mean 'get_order'");
  }

  @Test
  void holdsCallsToTheRulesAndTellsOfOtherTools() throws Exception {
    client.initialize("2025-11-25", "{}");

    assertThat(text(result("once", "{}"))).isEqualTo("first");
    assertThat(text(result("once", "{}"))).contains("Tool rule violation");
    client.hear("notifications/tools/list_changed");
    assertThat(client.ask("tools/list", "{}").toString()).doesNotContain("\"once\"");
  }

  @Test
  void eachCallIsATurnOfItsOwn() throws Exception {
    client.initialize("2025-11-25", "{}");

    for (int i = 0; i < 6; i++) {
      assertThat(text(result("get_order", "{\"id\":7}"))).isEqualTo("order 7");
      assertThat(text(result("turn", "{}"))).isEqualTo("again");
      JsonNode stateless =
          client.ask("tools/call", LineClient.stateless(call("get_order", "{\"id\":7}"), "{}"));
      assertThat(text(stateless.path("result"))).isEqualTo("order 7");
    }
    assertThat(client.ask("tools/list", "{}").toString()).contains("\"turn\"");
  }

  @Test
  void asksTheUserForConsent() throws Exception {
    client.initialize("2025-11-25", "{\"elicitation\":{}}");
    int id = client.request("tools/call", "{" + call("delete_order", "{\"id\":7}") + "}");

    JsonNode question = client.hear("elicitation/create");
    assertThat(question.at("/params/message").stringValue()).contains("delete_order", "{\"id\":7}");
    assertThat(deleted).hasValue(0);
    client.send(
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\",\"content\":{}}}"
            .formatted(question.path("id")));

    assertThat(text(client.answer(id).path("result"))).isEqualTo("deleted 1");
  }

  @Test
  void asksForAsLongAsTheAgentsClockSays() throws Exception {
    Tool delete =
        Tool.dynamic("delete_order", ORDER).mode(ToolMode.LOCAL).handler(arguments -> "deleted");
    ManualTime past = new ManualTime(Instant.parse("2001-01-01T00:00:00Z"));
    try (Agent other = Agent.builder("shop").prompt("You sell.").tools(delete).time(past).build();
        LineClient user = new LineClient(other)) {
      user.initialize("2025-11-25", "{\"elicitation\":{}}");
      int id = user.request("tools/call", "{" + call("delete_order", "{\"id\":7}") + "}");
      JsonNode question = user.hear("elicitation/create");
      user.send(
          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\",\"content\":{}}}"
              .formatted(question.path("id")));

      assertThat(text(user.answer(id).path("result"))).isEqualTo("deleted");
    }
  }

  @Test
  void aUserWhoDeclinesHasNotAgreed() throws Exception {
    client.initialize("2025-11-25", "{\"elicitation\":{}}");
    int id = client.request("tools/call", "{" + call("delete_order", "{\"id\":7}") + "}");
    JsonNode question = client.hear("elicitation/create");
    client.send(
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"decline\"}}"
            .formatted(question.path("id")));

    JsonNode result = client.answer(id).path("result");

    assertThat(result.path("isError").booleanValue()).isTrue();
    assertThat(text(result))
        .startsWith("{\"success\":false,")
        .contains("was not approved", "\"code\":\"consent_denied\"");
    assertThat(deleted).hasValue(0);
  }

  @Test
  void asksInTheRevisionWithoutSessionsToo() throws Exception {
    String capabilities = "{\"elicitation\":{}}";
    JsonNode asked =
        client
            .ask(
                "tools/call",
                LineClient.stateless(call("delete_order", "{\"id\":7}"), capabilities))
            .path("result");

    assertThat(asked.path("resultType").stringValue()).isEqualTo("input_required");
    assertThat(asked.at("/inputRequests/consent/method").stringValue())
        .isEqualTo("elicitation/create");
    String state = asked.path("requestState").stringValue();
    String again =
        call("delete_order", "{\"id\":7}")
            + ",\"requestState\":\"%s\",\"inputResponses\":{\"consent\":{\"action\":\"accept\"}}";
    JsonNode done =
        client
            .ask("tools/call", LineClient.stateless(again.formatted(state), capabilities))
            .path("result");
    assertThat(text(done)).isEqualTo("deleted 1");
    assertThat(done.path("resultType").stringValue()).isEqualTo("complete");

    JsonNode twice =
        client.ask("tools/call", LineClient.stateless(again.formatted(state), capabilities));
    assertThat(twice.at("/error/code").intValue()).isEqualTo(-32602);
    assertThat(deleted).hasValue(1);
  }

  @Test
  void aStateOfAnotherCallAgreesToNothing() throws Exception {
    String capabilities = "{\"elicitation\":{}}";
    JsonNode asked =
        client
            .ask(
                "tools/call",
                LineClient.stateless(call("delete_order", "{\"id\":7}"), capabilities))
            .path("result");
    String state = asked.path("requestState").stringValue();

    JsonNode other =
        client.ask(
            "tools/call",
            LineClient.stateless(
                call("get_order", "{\"id\":7}")
                    + ",\"requestState\":\"%s\",\"inputResponses\":{\"consent\":{\"action\":\"accept\"}}"
                        .formatted(state),
                capabilities));

    assertThat(other.at("/error/code").intValue()).isEqualTo(-32602);
    assertThat(deleted).hasValue(0);
  }

  @Test
  void aCallWaitsWhereNoOneCanBeAsked() throws Exception {
    client.initialize("2025-11-25", "{}");

    String told = text(result("delete_order", "{\"id\":7}"));
    String id = told.replaceFirst(".*has the id '([^']+)'.*", "$1");
    assertThat(told).contains("has not run").contains("approval_status");
    assertThat(text(result("approval_status", "{\"id\":%s}".formatted(quoted(id)))))
        .contains("waiting");
    agent.conversation(conversation()).answer(id, Answer.approveOnce());

    String after = text(result("approval_status", "{\"id\":%s}".formatted(quoted(id))));
    assertThat(after).contains("done").contains("deleted 1");
  }

  private String conversation() {
    return agent.storedConversations().all().getFirst().id();
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\"", "\\\"") + "\"";
  }

  @Test
  void aRequestThatIsSentTwiceRunsOnce() throws Exception {
    client.initialize("2025-11-25", "{\"elicitation\":{}}");
    client.send(
        "{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"tools/call\",\"params\":{%s}}"
            .formatted(call("once", "{}")));
    assertThat(text(client.answer(99).path("result"))).isEqualTo("first");
    client.send(
        "{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"tools/call\",\"params\":{%s}}"
            .formatted(call("once", "{}")));

    assertThat(text(client.answer(99).path("result"))).isEqualTo("first");
  }

  @Test
  void cutsOffWhatIsCancelled() throws Exception {
    client.initialize("2025-11-25", "{}");
    int id = client.request("tools/call", "{" + call("wait", "{}") + "}");
    begun.await();

    client.send(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}"
            .formatted(id));

    cut.await();
    assertThat(text(client.answer(id).path("result"))).contains("cancelled");
  }

  @Test
  void showsMemoryAndItsChanges() throws Exception {
    client.initialize("2025-11-25", "{}");
    assertThat(client.ask("resources/list", "{}").toString()).contains("memory:///notes");
    client.ask("resources/subscribe", "{\"uri\":\"memory:///notes\"}");
    result("block", "{\"operation\":\"append\",\"label\":\"notes\",\"content\":\"likes tea\"}");

    JsonNode updated = client.hear("notifications/resources/updated");

    assertThat(updated.at("/params/uri").stringValue()).isEqualTo("memory:///notes");
    assertThat(client.ask("resources/read", "{\"uri\":\"memory:///notes\"}").toString())
        .contains("likes tea");
    assertThat(
            client
                .ask("resources/read", "{\"uri\":\"memory:///other\"}")
                .at("/error/code")
                .intValue())
        .isEqualTo(-32002);
  }

  @Test
  void hasThePromptOfTheAgent() throws Exception {
    client.initialize("2025-11-25", "{}");

    assertThat(client.ask("prompts/list", "{}").toString()).contains("instructions");
    assertThat(client.ask("prompts/get", "{\"name\":\"instructions\"}").toString())
        .contains("You sell.");
  }

  @Test
  void answersWhatIsNotAMessage() throws Exception {
    client.send("{");
    client.send("[]");
    client.send("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}");
    client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":[]}");
    client.initialize("2025-11-25", "{}");

    assertThat(client.told())
        .extracting(one -> one.at("/error/code").asInt(0))
        .containsExactly(-32700, -32600, -32600, -32600);
    assertThat(client.ask("no/such", "{}").at("/error/code").intValue()).isEqualTo(-32601);
    assertThat(client.ask("ping", "{}").has("result")).isTrue();
  }

  @Test
  void tellsOfChangesInTheRevisionWithoutSessions() throws Exception {
    int listening =
        client.request(
            "subscriptions/listen",
            LineClient.stateless(
                "\"notifications\":{\"resourceSubscriptions\":[\"memory:///notes\"]}", "{}"));
    JsonNode acknowledged = client.hear("notifications/subscriptions/acknowledged");
    assertThat(acknowledged.at("/params/_meta").toString()).contains(":" + listening);
    client.ask(
        "tools/call",
        LineClient.stateless(
            call("block", "{\"operation\":\"append\",\"label\":\"notes\",\"content\":\"x\"}"),
            "{}"));

    assertThat(client.hear("notifications/resources/updated").toString())
        .contains("memory:///notes");
  }

  @Test
  void saysWhatAStatelessRequestLacks() throws Exception {
    assertThat(client.ask("tools/list", "{}").at("/error/code").intValue()).isEqualTo(-32602);
    JsonNode other =
        client.ask(
            "tools/list", LineClient.stateless("", "{}").replace("2026-07-28", "2099-01-01"));
    assertThat(other.at("/error/code").intValue()).isEqualTo(-32022);
    assertThat(other.at("/error/data/supported").toString()).contains("2026-07-28");
  }
}
