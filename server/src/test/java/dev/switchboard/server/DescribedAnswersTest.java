package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.server.Description.Operation;
import dev.switchboard.server.TestServer.Answer;
import dev.switchboard.server.TestServer.Client;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What the server answers is as `openapi.json` says.
class DescribedAnswersTest {
  private static final Description DESCRIPTION = Description.read();

  private final TestServer server =
      new TestServer(
          agent ->
              agent
                  .store(new InProcessConversations())
                  .memory(new InProcessMemory())
                  .blocks(List.of(Block.of("Desk", "guest", Block.Kind.WORKING)))
                  .firstMessage("Hello."),
          TestServer.tool("get_time", new ArrayList<>()),
          TestServer.tool("local_run", new ArrayList<>()));

  @AfterEach
  void close() {
    server.close();
  }

  private Answer check(Client client, String method, String template, String path, String body) {
    Operation operation = DESCRIPTION.operation(method + " " + template);
    Answer answer = client.send(method, path, body);
    JsonNode response = DESCRIPTION.response(operation, answer.status());
    String type = answer.type().replaceFirst(";.*", "");
    String place = operation.name() + " " + answer.status() + " " + answer.text();
    if (answer.text().isEmpty()) {
      assertThat(response.has("content")).as(place).isFalse();
      return answer;
    }
    assertThat(response.path("content").propertyNames()).as(place).contains(type);
    if (type.endsWith("json")) {
      JsonNode schema = response.path("content").path(type).path("schema");
      assertThat(DESCRIPTION.faults(schema, answer.json())).as(place).isEmpty();
    }
    return answer;
  }

  private Answer get(Client client, String template, String path) {
    return check(client, "GET", template, path, "");
  }

  @Test
  void answersOfConversationsAreAsDescribed() {
    server
        .model
        .calls("get_time", "{\"n\":1}")
        .says("Noon.")
        .calls("local_run", "{}")
        .says("Done.");
    Answer made =
        check(
            server.zoe,
            "POST",
            "/v1/agents/{agent}/conversations",
            "/v1/agents/Desk/conversations",
            "{\"id\":\"c1\",\"metadata\":{\"case\":4}}");
    assertThat(made.status()).isEqualTo(201);
    server.zoe.say("c1", "What time is it?");
    get(server.zoe, "/v1/conversations", "/v1/conversations?limit=1");
    get(server.zoe, "/v1/conversations/{id}/events", "/v1/conversations/c1/events?limit=3");
    server.zoe.say("c1", "Run it");
    get(server.zoe, "/v1/conversations/{id}", "/v1/conversations/c1");
    String turns = "/v1/conversations/{id}/turns";
    assertThat(
            check(server.zoe, "POST", turns, "/v1/conversations/c1/turns", "{\"text\":\"a\"}")
                .status())
        .isEqualTo(409);
    Answer open = get(server.yan, "/v1/approvals", "/v1/approvals");
    String request = open.json().at("/items/0/id").asString("");
    String one = "/v1/approvals/{id}";
    check(
        server.yan,
        "POST",
        one,
        "/v1/approvals/" + request,
        "{\"decision\":\"approve\",\"arguments\":{\"n\":\"x\"}}");
    assertThat(
            check(
                    server.yan,
                    "POST",
                    one,
                    "/v1/approvals/" + request,
                    "{\"decision\":\"approve\",\"arguments\":{\"n\":7}}")
                .status())
        .isEqualTo(200);
    get(server.yan, "/v1/approvals/{id}/lines", "/v1/approvals/" + request + "/lines");
    check(server.yan, "POST", one, "/v1/approvals/" + request, "{\"decision\":\"deny\"}");
    check(
        server.yan,
        "POST",
        "/v1/approvals",
        "/v1/approvals",
        "{\"answers\":[{\"id\":\"%s\",\"decision\":\"deny\"},{\"id\":\"a:b\",\"decision\":\"deny\"}]}"
            .formatted(request));
    get(server.yan, "/v1/approvals", "/v1/approvals?status=answered");
    get(server.zoe, "/v1/conversations/{id}/export", "/v1/conversations/c1/export");
    check(server.zoe, "POST", "/v1/conversations/{id}/cancel", "/v1/conversations/c1/cancel", "");
    get(server.zoe, "/v1/conversations/{id}/events", "/v1/conversations/c1/events?after=999");
    get(server.yan, "/v1/conversations/{id}", "/v1/conversations/c1");
    check(server.zoe, "DELETE", "/v1/conversations/{id}", "/v1/conversations/c1", "");
    check(server.zoe, "DELETE", "/v1/conversations", "/v1/conversations?principal=zoe", "");
  }

  @Test
  void answersOfAgentsAreAsDescribed() {
    get(server.zoe, "/v1/me", "/v1/me");
    get(server.zoe, "/v1/agents", "/v1/agents");
    get(server.zoe, "/v1/agents/{agent}/tools", "/v1/agents/Desk/tools");
    get(server.zoe, "/v1/agents/{agent}/tools", "/v1/agents/Nobody/tools");
    String calls = "/v1/agents/{agent}/tools/{tool}/calls";
    String path = "/v1/agents/Desk/tools/get_time/calls";
    check(server.zoe, "POST", calls, path, "{\"arguments\":{\"n\":3}}");
    check(server.zoe, "POST", calls, path, "{\"arguments\":{\"n\":\"x\"}}");
    check(server.zoe, "POST", calls, path, "{\"argument\":{}}");
    get(server.zoe, "/v1/agents/{agent}/breakers", "/v1/agents/Desk/breakers");
    get(server.operator, "/v1/agents/{agent}/sources", "/v1/agents/Desk/sources");
    check(
        server.operator,
        "POST",
        "/v1/agents/{agent}/breakers/{tool}/close",
        "/v1/agents/Desk/breakers/get_time/close",
        "");
    get(server.zoe, "/livez", "/livez");
    get(server.zoe, "/readyz", "/readyz");
    get(server.stranger, "/openapi.json", "/openapi.json");
    get(server.zoe, "/v1/models", "/v1/models");
    get(server.zoe, "/v1/models/{model}", "/v1/models/gpt");
    get(server.zoe, "/agui/{agent}", "/agui/Desk");
    check(server.stranger, "POST", "/v1/login", "/v1/login", "{\"token\":\"x\"}");
    check(server.zoe, "POST", "/v1/logout", "/v1/logout", "");
  }

  @Test
  void answersOfDialectsAreAsDescribed() {
    server.model.says("One.").says("Two.").says("Three.");
    String chat = "{\"model\":\"Desk\",%s\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}";
    check(server.zoe, "POST", "/v1/chat/completions", "/v1/chat/completions", chat.formatted(""));
    check(
        server.zoe,
        "POST",
        "/v1/chat/completions",
        "/v1/chat/completions",
        chat.formatted("\"stream\":true,"));
    check(server.zoe, "POST", "/v1/chat/completions", "/v1/chat/completions", "{}");
    check(
        server.zoe,
        "POST",
        "/ai/{agent}",
        "/ai/Desk",
        "{\"id\":\"u1\",\"messages\":[{\"id\":\"m1\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"Hi\"}]}]}");
    get(server.zoe, "/ai/{agent}/{id}/messages", "/ai/Desk/u1/messages");
    get(server.zoe, "/ai/{agent}/{id}/stream", "/ai/Desk/u1/stream");
    check(
        server.zoe, "POST", "/agui/{agent}", "/agui/Desk", "{\"threadId\":\"u1\",\"runId\":\"r\"}");
    check(server.zoe, "POST", "/agui/{agent}", "/agui/Desk", "[]");
  }

  @Test
  void answersOfMemoryAreAsDescribed() {
    String block = "/v1/agents/{agent}/blocks/{label}";
    get(server.operator, "/v1/agents/{agent}/blocks", "/v1/agents/Desk/blocks");
    long version =
        get(server.operator, block, "/v1/agents/Desk/blocks/guest").json().path("version").asLong();
    String path = "/v1/agents/Desk/blocks/guest";
    assertThat(
            check(
                    server.operator,
                    "PUT",
                    block,
                    path,
                    "{\"value\":\"Ada\",\"version\":" + version + "}")
                .status())
        .isEqualTo(200);
    check(server.operator, "PUT", block, path, "{\"value\":\"Eve\",\"version\":" + version + "}");
    get(server.operator, block, path);
    check(server.operator, "POST", block + "/undo", path + "/undo", "");
    get(server.operator, "/v1/agents/{agent}/memory", "/v1/agents/Desk/memory?query=Ada");
    get(server.operator, block, "/v1/agents/Desk/blocks/none");
  }
}
