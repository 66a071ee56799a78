package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Inbox;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Role;
import dev.switchboard.observe.AuditLog;
import dev.switchboard.testing.ScriptedModel;
import java.io.StringWriter;
import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that act for others: operators, and back ends with many users.
@Isolated("it reads the log")
class ActForTest {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final StringWriter audit = new StringWriter();
  private final TestServer server =
      new TestServer(
          agent -> agent.store(new InProcessConversations()).listener(AuditLog.to(audit)),
          TestServer.tool("local_run", ran),
          TestServer.tool("get_time", ran));

  @AfterEach
  void close() {
    server.close();
  }

  private static void create(TestServer.Client client, String id) {
    assertThat(client.post("/v1/agents/Desk/conversations", "{\"id\":\"" + id + "\"}").status())
        .isEqualTo(201);
  }

  private List<String> lines() {
    return audit.toString().lines().toList();
  }

  private static String turn(TestServer.Client client, String id) {
    return "" + client.post("/v1/conversations/" + id + "/turns", "{\"text\":\"Hi\"}").status();
  }

  @Test
  void operatorReadsAllButTalksOnlyForTheOwner() {
    create(server.zoe, "c1");
    server.model.says("Hello.");

    assertThat(server.operator.get("/v1/conversations/c1").status()).isEqualTo(200);
    TestServer.Answer refused =
        server.operator.post("/v1/conversations/c1/turns", "{\"text\":\"Hi\"}");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("X-Act-For: zoe");
    assertThat(turn(server.operator.actingFor("zoe"), "c1")).isEqualTo("202");
  }

  @Test
  void whoActsForAPrincipalSeesThatPrincipalsOnly() {
    create(server.zoe, "zoes");
    create(server.yan, "yans");
    TestServer.Client acting = server.operator.actingFor("zoe");

    assertThat(acting.get("/v1/conversations/zoes").status()).isEqualTo(200);
    assertThat(acting.get("/v1/conversations/yans").status()).isEqualTo(404);
    assertThat(acting.get("/v1/conversations").text()).contains("zoes").doesNotContain("yans");
    assertThat(acting.delete("/v1/conversations?principal=yan").status()).isEqualTo(403);
    assertThat(acting.get("/v1/me").json().path("actor").asString()).isEqualTo("operator");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/conversations",
        "DELETE /v1/conversations",
        "GET /v1/agents/Desk/blocks",
        "GET /v1/agents/Desk/blocks/notes",
        "PUT /v1/agents/Desk/blocks/notes",
        "POST /v1/agents/Desk/blocks/notes/undo",
        "GET /v1/agents/Desk/memory"
      })
  void whoActsForAPrincipalMayNameNoOther(String route) {
    String method = route.substring(0, route.indexOf(' '));
    String path = route.substring(route.indexOf(' ') + 1);
    TestServer.Client acting = server.operator.actingFor("zoe");
    String body = "{\"value\":\"x\",\"version\":1}";

    assertThat(acting.send(method, path + "?principal=yan", body).status()).isEqualTo(403);
    assertThat(acting.send(method, path + "?principal=zoe", body).status()).isNotEqualTo(403);
    assertThat(server.operator.send(method, path + "?principal=yan", body).status())
        .isNotEqualTo(403);
    assertThat(server.operator.send(method, path + "?principal=", body).status()).isEqualTo(400);
  }

  @Test
  void workBelongsToThePrincipalActedFor() {
    create(server.operator.actingFor("zoe"), "c1");
    assertThat(server.zoe.get("/v1/conversations/c1").status()).isEqualTo(200);

    String call = "/v1/agents/Desk/tools/get_time/calls";
    String made =
        server.operator.actingFor("zoe").post(call, "{}").json().path("conversation").asString();
    assertThat(server.zoe.get("/v1/conversations/" + made).status()).isEqualTo(200);
  }

  @Test
  void whoAnsweredNamesBoth() {
    server.model.calls("local_run", "{\"n\":1}").says("Done.");
    create(server.zoe, "c1");
    server.zoe.say("c1", "Run it");
    String answered =
        server
            .operator
            .actingFor("zoe")
            .post("/v1/approvals/c1%3Acall_1_1_1", "{\"decision\":\"deny\"}")
            .text();

    assertThat(answered).contains("\"by\":\"operator for zoe\"");
  }

  @Test
  void theAuditLogNamesBothForCallsOfTurnsAndByHand() {
    TestServer.Client acting = server.operator.actingFor("zoe");
    create(server.zoe, "c1");
    server.model.calls("get_time", "{}").says("Noon.");
    acting.say("c1", "When?");
    server.model.calls("local_run", "{\"n\":1}").says("Done.");
    acting.say("c1", "Run it");
    assertThat(
            server.zoe.post("/v1/approvals/c1%3Acall_2_1_1", "{\"decision\":\"approve\"}").status())
        .isEqualTo(200);
    // A tool is called by hand where no turn runs, and the call is audited before its turn ends.
    await().until(() -> lines().size() == 2 && !server.live("c1").isRunning());
    assertThat(
            acting
                .post("/v1/agents/Desk/tools/get_time/calls", "{\"conversation\":\"c1\"}")
                .status())
        .isEqualTo(200);
    await().until(() -> lines().size() == 3);

    assertThat(lines())
        .allSatisfy(
            line -> assertThat(line).contains("\"principal\":\"zoe\",\"actor\":\"operator\""));

    server.model.calls("get_time", "{}").says("Noon.");
    server.zoe.say("c1", "When?");
    await().until(() -> lines().size() == 4);
    assertThat(lines().getLast()).contains("\"principal\":\"zoe\",\"call\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"decision\":\"approve\"}",
        "{\"decision\":\"approve\",\"arguments\":{\"n\":2}}",
        "{\"decision\":\"deny\"}"
      })
  void theAuditLogNamesWhoAnsweredTheRequestForACall(String answer) {
    create(server.zoe, "c1");
    TestServer.Client approver = server.client("ben", Role.APPROVE, Role.OPERATE);
    for (TestServer.Client client : List.of(server.operator.actingFor("zoe"), approver)) {
      int before = lines().size();
      server.model.calls("local_run", "{\"n\":1}").says("Done.");
      server.zoe.say("c1", "Run it");
      // Both are stored a moment after the client has read them.
      await().until(() -> !request().isEmpty());
      String id = request();
      assertThat(client.post("/v1/approvals/" + id.replace(":", "%3A"), answer).status())
          .isEqualTo(200);
      await().until(() -> lines().size() > before && !server.live("c1").isRunning());
    }

    assertThat(lines())
        .extracting(line -> Json.text(line).tree().path("answered_by").asString())
        .containsExactly("operator for zoe", "ben");
  }

  /// The id of the request that waits, empty for none.
  private String request() {
    return server.zoe.get("/v1/approvals").json().path("items").path(0).path("id").asString("");
  }

  @Test
  void theAuditLogNamesBothForWhatAnAgentDoesOnAMessage() throws InterruptedException {
    BlockingQueue<Turn> read = new LinkedBlockingQueue<>();
    StringWriter receivers = new StringWriter();
    ScriptedModel model = new ScriptedModel().calls("get_time", "{}").says("Noon.");
    try (Agent clerk =
            Agent.builder("Clerk")
                .model(model)
                .store(new InProcessConversations())
                .tools(TestServer.tool("get_time", ran))
                .listener(AuditLog.to(receivers))
                .build();
        Inbox inbox = Inbox.of(clerk, 10, (letter, turn) -> read.add(turn));
        TestServer desk =
            new TestServer(agent ->
                agent
                    .store(new InProcessConversations())
                    .builtIns("send_message")
                    .router(inbox, List.of(new MessageRouter.Target("agent", "Clerk"))))) {
      create(desk.zoe, "c1");
      desk.model
          .calls(
              "send_message",
              "{\"target\":{\"type\":\"agent\",\"id\":\"Clerk\"},\"content\":\"When?\"}")
          .says("Asked.");
      desk.operator.actingFor("zoe").say("c1", "Ask the clerk");
      assertThat(read.poll(5, TimeUnit.MINUTES)).isNotNull();
    }

    assertThat(receivers.toString())
        .contains("\"principal\":\"zoe\",\"actor\":\"operator\"", "get_time");
  }

  @Test
  void theAuditLogNamesNoOneForACallWithoutARequest() {
    create(server.zoe, "c1");
    server.model.calls("get_time", "{}").says("Noon.");
    server.zoe.say("c1", "When?");
    await().until(() -> lines().size() == 1);

    assertThat(lines().getFirst()).doesNotContain("answered_by");
  }

  @Test
  void theLogNamesBothForEveryRequestThatMayChangeSomething() {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(MessageFormat.format(line.getMessage(), line.getParameters()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.switchboard.server.access.ActFor");
    logger.setLevel(Level.INFO);
    logger.addHandler(handler);
    try {
      TestServer.Client acting = server.operator.actingFor("tel:+14155550100");
      create(acting, "c1");
      assertThat(acting.get("/v1/conversations/c1").status()).isEqualTo(200);
      assertThat(acting.delete("/v1/conversations/c1").status()).isEqualTo(204);
      assertThat(server.zoe.get("/v1/me").status()).isEqualTo(200);
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(null);
    }

    assertThat(lines)
        .containsExactly(
            "'operator for tel:***0100': POST /v1/agents/Desk/conversations",
            "'operator for tel:***0100': DELETE /v1/conversations/c1");
  }

  @Test
  void noOtherRoleActsForOthers() {
    for (Role role : List.of(Role.CHAT, Role.TOOLS, Role.APPROVE)) {
      TestServer.Client client = server.client("p" + role.word(), role);
      assertThat(client.actingFor("zoe").get("/v1/me").status()).isEqualTo(403);
      assertThat(client.actingFor("p" + role.word()).get("/v1/me").status()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\tb"})
  void aNameHasVisibleCharacters(String name) {
    assertThat(server.operator.actingFor(name).get("/v1/me").status()).isEqualTo(400);
  }

  @Test
  void aNameIsNotTooLong() {
    assertThat(server.operator.actingFor("a".repeat(200)).get("/v1/me").status()).isEqualTo(200);
    assertThat(server.operator.actingFor("a".repeat(201)).get("/v1/me").status()).isEqualTo(400);
  }

  @Test
  void theUsersOfABackEndArePrincipalsOfTheirOwn() {
    TestServer.Client shop = server.forUsers("shop");
    TestServer.Client ann = shop.actingFor("ann");
    TestServer.Client bob = shop.actingFor("bob");
    create(ann, "anns");

    assertThat(shop.get("/v1/me").status()).isEqualTo(400);
    assertThat(ann.get("/v1/me").json().path("principal").asString()).isEqualTo("shop/ann");
    assertThat(ann.get("/v1/conversations/anns").status()).isEqualTo(200);
    assertThat(bob.get("/v1/conversations/anns").status()).isEqualTo(404);
    assertThat(shop.actingFor("/ann").get("/v1/conversations/anns").status()).isEqualTo(404);
    assertThat(server.zoe.get("/v1/conversations/anns").status()).isEqualTo(404);
    assertThat(server.operator.actingFor("shop/ann").get("/v1/conversations/anns").status())
        .isEqualTo(200);
    assertThat(bob.post("/v1/agents/Desk/tools/get_time/calls", "{}").status()).isEqualTo(403);
    assertThat(server.stranger.post("/v1/login", "{\"token\":\"" + shop.token + "\"}").status())
        .isEqualTo(403);
  }
}
