package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.LiveSession;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.testing.ScriptedModel;
import org.junit.jupiter.api.Test;

/// A conversation that another host has, such as MCP in the same process.
class HeldElsewhereTest {
  private static final String SAYS = "{\"text\":\"Hi\"}";

  @Test
  void isBusyAlsoWhereTheServerHadItBefore() throws InterruptedException {
    InProcessConversations store = new InProcessConversations();
    ScriptedModel slow = new ScriptedModel().blocks().and().says("there");
    try (TestServer server = new TestServer(agent -> agent.store(store));
        Agent other = Agent.builder("Desk").model(slow).store(store).build()) {
      server.model.says("one");
      String id = server.zoe.conversation();
      assertThat(server.zoe.say(id, "Hi")).isNotEmpty();
      await().until(() -> store.state(id).load().value().lease().until() == null);

      Thread there = Thread.startVirtualThread(() -> say(other, id));
      slow.awaitRequests(1);
      String turns = "/v1/conversations/" + id + "/turns";
      TestServer.Answer first = server.zoe.post(turns, SAYS);
      TestServer.Answer again = server.zoe.post(turns, SAYS);

      assertThat(first.json().path("code").asString()).isEqualTo("conversation_busy");
      assertThat(first.status()).isEqualTo(409);
      assertThat(again.status()).isEqualTo(409);
      slow.release();
      there.join();
    }
  }

  @Test
  void staysOpenOnALineThatTheServerOnlyReads() {
    try (TestServer server = new TestServer(agent -> agent.store(new InProcessConversations()))) {
      ConversationOptions zoes = ConversationOptions.NONE.withPrincipal("zoe");
      String id = server.zoe.conversation();
      try (LiveSession line = server.agent.live(id, zoes, event -> {})) {
        String turns = "/v1/conversations/" + id + "/turns";
        assertThat(server.zoe.post(turns, SAYS).status()).isEqualTo(409);
        assertThat(server.zoe.get("/v1/conversations/" + id + "/events").status()).isEqualTo(200);

        server.server.close();

        Conversation conversation = server.agent.conversation(id, zoes);
        assertThat(conversation.isLive()).isTrue();
        assertThat(line.said("i1", "Hello")).isEmpty();
        assertThat(line.history()).hasSize(1);
      }
    }
  }

  private static void say(Agent other, String id) {
    ConversationOptions options = ConversationOptions.NONE.withPrincipal("zoe");
    try (Conversation conversation = other.conversation(id, options)) {
      var unused = conversation.say("Hello");
    }
  }
}
