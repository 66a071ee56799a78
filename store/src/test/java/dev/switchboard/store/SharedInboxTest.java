package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Inbox;
import dev.switchboard.agent.StoredConversations;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.state.Selection;
import dev.switchboard.testing.ScriptedModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Messages to an agent whose turns run in whichever process claims them.
class SharedInboxTest {
  private final Storage storage = Storage.shared(PostgresServer.newPlace(), Path.of(""));
  private final ConversationStore store = storage.conversations("Bo");
  private final MessageRouter inbox = Inbox.shared("Bo", store);

  @AfterEach
  void close() {
    storage.close();
  }

  private Delivery send(String id, String principal) throws Exception {
    return inbox.send(
        new Letter(id, "Al", "c", new Target("agent", "Bo"), "Lunch?", null, null, principal));
  }

  private List<Summary> conversations(String principal) {
    return store.directory().conversations(new Selection(principal, null, 10));
  }

  @Test
  void aMessageWaitsForThePrincipalOfTheSender() throws Exception {
    assertThat(send("m1", "ann")).isEqualTo(Delivery.DONE);

    assertThat(conversations("ann")).hasSize(1);
    assertThat(conversations("ann").getFirst().id()).startsWith("~agent.");
    assertThat(conversations("local")).isEmpty();
  }

  @Test
  void oneMessageOfAPrincipalWaitsAtATime() throws Exception {
    assertThat(send("m1", "ann")).isEqualTo(Delivery.DONE);

    assertThat(send("m2", "ann").problem())
        .isEqualTo("agent 'Bo' has not read the message before, try again later");
    assertThat(send("m2", "zoe")).isEqualTo(Delivery.DONE);
  }

  @Test
  void aMessageThatWaitsGoesWithItsPrincipal() throws Exception {
    assertThat(send("m1", "ann")).isEqualTo(Delivery.DONE);
    assertThat(send("m2", "zoe")).isEqualTo(Delivery.DONE);
    String anns = conversations("ann").getFirst().id();
    StoredConversations stored =
        new StoredConversations("Bo", store, storage.memory(), storage.time());

    assertThat(stored.forget("ann")).isEqualTo(new StoredConversations.Forgotten(1, 1));

    assertThat(store.queue().inputs(anns)).isEmpty();
    assertThat(store.queue().due()).isEqualTo(1);
    assertThat(conversations("ann")).isEmpty();
    assertThat(conversations("zoe")).hasSize(1);
  }

  @Test
  void aMessageThatIsSentAgainIsReadOnce() throws Exception {
    ScriptedModel model = new ScriptedModel().says("Fine.");
    assertThat(send("m1", "ann")).isEqualTo(Delivery.DONE);
    assertThat(send("m1", "ann")).isEqualTo(Delivery.DONE);

    read(model);

    assertThat(send("m1", "ann")).isEqualTo(Delivery.DONE);
    assertThat(store.queue().inputs(conversations("ann").getFirst().id())).isEmpty();
    assertThat(model.requests()).hasSize(1);
    assertThat(model.lastRequest().messages().toString())
        .contains("A message from agent 'Al'", "Lunch?", "use send_message, if you have it");
  }

  @Test
  void agentsThatAnswerEachOtherWaitBetweenTheirMessages() throws Exception {
    assertThat(send("m1", "ann")).isEqualTo(Delivery.DONE);
    read(new ScriptedModel().says("Fine."));

    assertThat(send("m2", "ann").problem())
        .matches("agent 'Bo' was written to a moment ago, try again in \\d+ s");
  }

  @SuppressWarnings("try") // the worker is there to be closed
  private void read(ScriptedModel model) {
    try (Agent bo = Agent.builder("Bo").model(model).store(store).build();
        Agent.Worker unused = bo.work(Agent.Cluster.USUAL)) {
      Awaitility.await()
          .until(() -> {
            Summary conversation = conversations("ann").getFirst();
            return conversation.last() != null && !conversation.running();
          });
    }
  }

  @Test
  void aStoreOfOneProcessHasNoSharedInbox() {
    assertThatThrownBy(() -> Inbox.shared("Bo", new InProcessConversations(1)))
        .hasMessage("agent 'Bo' has no store that processes share: open it with Storage.shared");
  }

  @Test
  void agentsThatAreServedAreKnownForAWhile() {
    storage.serve(List.of("Bo", "Al"));
    storage.serve(List.of("Bo"));

    assertThat(storage.served(Duration.ofMinutes(10))).containsExactly("Al", "Bo");
    assertThat(storage.served(Duration.ofMinutes(-1))).isEmpty();
    assertThat(storage.memory().agents()).isEmpty();
  }
}
