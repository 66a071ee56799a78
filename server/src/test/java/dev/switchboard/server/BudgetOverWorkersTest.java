package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Budget;
import dev.switchboard.agent.Budget.Limit;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelReply.Usage;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A budget where workers run the turns, and people answer at a server.
class BudgetOverWorkersTest {
  private static ModelReply reply(String text) {
    return new ModelReply(text, List.of(), ModelReply.FinishReason.STOP, new Usage(1000, 100));
  }

  private static String status(TestServer server, String id) {
    return server.operator.get("/v1/conversations/" + id).json().path("status").asString();
  }

  private static void answer(TestServer server, String decision) {
    await().until(() -> server.yan.get("/v1/approvals").json().path("items").path(0).has("id"));
    String id = server.yan.get("/v1/approvals").json().path("items").path(0).path("id").asString();
    assertThat(
            server.yan.post("/v1/approvals/" + id, "{\"decision\":\"" + decision + "\"}").status())
        .isEqualTo(200);
  }

  @Test
  void goesOnAfterAnApproverAgreesAndStopsAfterOneDoesNot() {
    Budget budget = Budget.NONE.withDay(Limit.ofTokens(1500)).withThen(Budget.Then.ASK);
    try (TestServer server = TestServer.overWorkers(agent -> agent.budget(budget))) {
      server.model.replies(reply("One.")).replies(reply("Two."));
      String id = server.zoe.conversation();
      server.zoe.say(id, "Go");
      await().until(() -> status(server, id).equals("idle"));
      server.zoe.say(id, "Go on");
      answer(server, "approve");
      await().until(() -> status(server, id).equals("idle"));
      assertThat(server.model.requests()).hasSize(2);
      server.zoe.say(id, "And on");
      await().until(() -> status(server, id).equals("waiting"));
      answer(server, "deny");
      await().until(() -> status(server, id).equals("idle"));
      String events = server.zoe.get("/v1/conversations/" + id + "/events?limit=1000").text();
      assertThat(events)
          .contains("\"Two.\"")
          .contains(
              "\"code\":\"budget\",\"scope\":\"day\",\"limit\":{\"tokens\":3000},\"spent\":{\"tokens\":2200}");
      assertThat(server.model.requests()).hasSize(2);
    }
  }
}
