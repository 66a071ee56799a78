package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Inbox;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Messages between agents when a principal deletes all that is its own.
class ForgottenMessagesRouteTest {
  private static void send(Inbox inbox, String id, String principal) {
    Target desk = new Target("agent", "Desk");
    Letter letter = new Letter(id, "Al", "c", desk, "Lunch?", null, null, principal);
    assertThat(inbox.send(letter)).isEqualTo(Delivery.DONE);
  }

  @Test
  void ownerReadsEventsOfMessagesConversation() throws InterruptedException {
    BlockingQueue<String> read = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer();
        Inbox inbox = Inbox.of(server.agent, 100, (letter, turn) -> read.add(letter.id()))) {
      server.model.says("At noon.").says("At one.");
      for (String id : new String[] {"1", "2"}) {
        send(inbox, id, "zoe");
        assertThat(read.poll(5, TimeUnit.MINUTES)).isEqualTo(id);
        String conversation = inbox.conversation("Al", "zoe").id();
        TestServer.Answer events = server.zoe.get("/v1/conversations/" + conversation + "/events");
        assertThat(events.text()).contains("Lunch?", id.equals("1") ? "At noon." : "At one.");
        int all = events.json().path("items").size();
        assertThat(
                server
                    .zoe
                    .get("/v1/conversations/" + conversation + "/events?after=" + all)
                    .status())
            .isEqualTo(200);
      }
    }
  }

  @Test
  void pendingMessagesDoNotRecreateDeletedConversation() throws InterruptedException {
    BlockingQueue<String> read = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer();
        Inbox inbox = Inbox.of(server.agent, 100, (letter, turn) -> read.add(letter.id()))) {
      server.model.blocks().and().says("Fine.").says("Good.").says("Done.");
      send(inbox, "1", "zoe");
      server.model.awaitRequests(1);
      send(inbox, "2", "zoe");
      send(inbox, "3", "yan");

      TestServer.Answer deleted = server.zoe.delete("/v1/conversations?principal=zoe");

      assertThat(deleted.text()).isEqualTo("{\"deleted\":1}");
      assertThat(read.poll(5, TimeUnit.MINUTES)).isEqualTo("3");
      assertThat(inbox.left()).isEmpty();
      assertThat(server.zoe.get("/v1/conversations").json().path("items")).isEmpty();
      assertThat(server.yan.get("/v1/conversations").json().path("items")).hasSize(1);

      send(inbox, "4", "zoe");
      assertThat(read.poll(5, TimeUnit.MINUTES)).isEqualTo("4");
      assertThat(server.zoe.get("/v1/conversations").json().path("items")).hasSize(1);
    }
  }
}
