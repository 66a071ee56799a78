package dev.switchboard.server;

import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.server.TestServer.Client;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;

/// A server with something for the console to show of each kind: calls of every outcome, requests
/// that wait, an open breaker, blocks with edits.
final class FilledServer implements AutoCloseable {
  private static final String SCHEMA =
      """
      {"type":"object","additionalProperties":false,"required":["guest"],"properties":{
        "guest":{"type":"string","description":"Who comes."},
        "party":{"type":"integer","minimum":1},
        "room":{"enum":["inside","patio"]},
        "quiet":{"type":"boolean"},
        "contact":{"type":"object","properties":{"phone":{"type":"string"}}},
        "wishes":{"type":"array","items":{"type":"string"}}}}\
      """;
  private static final String BOOKING =
      "{\"guest\":\"Ada\",\"party\":4,\"room\":\"patio\",\"contact\":{\"phone\":\"1\"},\"wishes\":[]}";

  private final CountDownLatch slow = new CountDownLatch(1);
  final TestServer server =
      new TestServer(
          agent ->
              agent
                  .store(new InProcessConversations())
                  .rules(ToolRule.after("update_menu", "update_light"))
                  .memory(new InProcessMemory())
                  .blocks(
                      List.of(
                          Block.of("Desk", "guest", Block.Kind.WORKING)
                              .withDescription("Who the guest is.")
                              .withCharLimit(100),
                          Block.of("Desk", "house", Block.Kind.ARCHIVAL)
                              .withValue("The patio opens in May."))),
          tool("book", (arguments, context) -> "booked"),
          tool(
              "get_flaky",
              (arguments, context) -> {
                context.progress("Looking it up.");
                if (context.attempt() == 1) {
                  throw new IllegalStateException("The line is busy.");
                }
                return Map.of("table", "T4");
              }),
          tool(
              "get_slow",
              (arguments, context) -> {
                slow.await();
                return "read";
              }),
          tool(
              "get_broken",
              (arguments, context) -> {
                throw new IllegalStateException("It is broken.");
              }),
          tool("update_menu", (arguments, context) -> "changed"),
          tool(
              "update_light",
              (arguments, context) ->
                  Map.of(
                      "preview", Map.of("before", "light: off", "after", "light: on"),
                      "undo", Map.of("name", "update_light", "arguments", Map.of("guest", "Ada")))),
          tool("local_run", (arguments, context) -> "ran"));

  FilledServer() {
    Client client = server.operator;
    server.model.calls("get_flaky", BOOKING).calls("book", "{\"party\":\"x\"}");
    server.model.calls("update_menu", BOOKING).calls("update_light", BOOKING);
    server.model.says("Shall it run?").and().calls("local_run", BOOKING).says("It did not run.");
    begin("all", "Please do all of it.");
    answer("{\"decision\":\"deny\",\"reason\":\"Not today.\"}");
    await().until(() -> status("all").equals("idle"));
    for (String id : List.of("ask1", "ask2")) {
      server.model.calls("local_run", BOOKING);
      begin(id, "Run it.");
      await().until(() -> status(id).equals("waiting"));
    }
    server.model.calls("get_slow", BOOKING).says("There.");
    begin("slow", "Read it.");
    client.post("/v1/agents/Desk/conversations", "{\"id\":\"empty\"}");

    for (int n = 1; n <= 5; n++) {
      client.post(
          "/v1/agents/Desk/tools/get_broken/calls", "{\"arguments\":{\"guest\":\"" + n + "\"}}");
    }
    client.send(
        "PUT",
        "/v1/agents/Desk/blocks/guest",
        "{\"value\":\"Ada likes the patio.\",\"version\":%d}"
            .formatted(client.get("/v1/agents/Desk/blocks/guest").json().path("version").asInt()));
  }

  private void begin(String id, String text) {
    server.operator.post(
        "/v1/agents/Desk/conversations", "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"}");
  }

  private String status(String id) {
    return server.operator.get("/v1/conversations/" + id).json().path("status").asString();
  }

  private void answer(String body) {
    await().until(() -> !open().isEmpty());
    server.operator.post("/v1/approvals/" + open().path(0).path("id").asString(), body);
  }

  private JsonNode open() {
    return server.operator.get("/v1/approvals").json().path("items");
  }

  private static Tool tool(String name, Tool.DynamicBuilder.ContextHandler handler) {
    return Tool.dynamic(name, SCHEMA)
        .description("Does what its name says.")
        .timeout(Duration.ofMinutes(5))
        .breaker(new BreakerOptions(5, Duration.ofMinutes(5)))
        .retry(RetryPolicy.DEFAULT.withPauses(Duration.ofMillis(20), Duration.ofMillis(20)))
        .handler(handler);
  }

  @Override
  public void close() {
    slow.countDown();
    server.close();
  }
}
