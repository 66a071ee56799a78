package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.LocalRouter;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What becomes of the messages to an agent when their principal is forgotten.
class ForgottenMessagesTest {
  private final ScriptedModel model = new ScriptedModel();
  private final ManualTime time = new ManualTime();
  private final BlockingQueue<String> read = new LinkedBlockingQueue<>();
  private final InProcessConversations store = new InProcessConversations();
  private final Agent agent =
      Agent.builder("Bo")
          .model(model)
          .time(time)
          .store(store)
          .tools(Tool.dynamic("pay").handler(arguments -> "paid"))
          .rules(ToolRule.consent("pay"))
          .build();
  private final Inbox inbox = Inbox.of(agent, 100, (letter, turn) -> read.add(letter.id()));
  private final StoredConversations stored = agent.storedConversations();

  @AfterEach
  void close() {
    model.release();
    inbox.close();
    agent.close();
  }

  private static Letter letter(String id, String principal) {
    return new Letter(id, "Al", "c", new Target("agent", "Bo"), "Lunch?", null, null, principal);
  }

  private void send(String id, String principal) {
    assertThat(inbox.send(letter(id, principal))).isEqualTo(Delivery.DONE);
  }

  private String nextRead() throws InterruptedException {
    return String.valueOf(read.poll(5, TimeUnit.MINUTES));
  }

  @Test
  void aMessageThatWaitsBeginsNoConversationOfTheForgotten() throws InterruptedException {
    model.blocks().and().says("Fine.").says("Fine.");
    send("1", "bob");
    model.awaitRequests(1);
    send("2", "ada");
    send("3", "bob");

    assertThat(stored.forget("ada")).isEqualTo(new StoredConversations.Forgotten(0, 0));
    model.release();

    assertThat(List.of(nextRead(), nextRead())).containsExactly("1", "3");
    inbox.close();
    assertThat(stored.of("ada")).isEmpty();
    assertThat(stored.of("bob")).hasSize(1);
  }

  @Test
  void theMessageThatIsReadIsCutOffAndItsConversationGoes() throws InterruptedException {
    model.blocks().and().says("Fine.").says("Good.");
    send("1", "ada");
    model.awaitRequests(1);
    send("2", "ada");
    send("3", "bob");

    assertThat(stored.forget("ada")).isEqualTo(new StoredConversations.Forgotten(1, 1));

    assertThat(nextRead()).isEqualTo("3");
    inbox.close();
    assertThat(stored.of("ada")).isEmpty();
    assertThat(inbox.left()).isEmpty();
  }

  @Test
  void aMessageThatIsHeldBackWhileAPersonIsAskedGoesToo() throws InterruptedException {
    model.calls("pay", "{}").says("Fine.");
    send("1", "ada");
    assertThat(nextRead()).isEqualTo("1");
    send("2", "ada");
    send("3", "bob");
    assertThat(nextRead()).isEqualTo("3");
    assertThat(inbox.left()).extracting(Letter::id).containsExactly("2");

    assertThat(stored.forget("ada").all()).isTrue();
    time.advance(Inbox.PAUSE);

    inbox.close();
    assertThat(inbox.left()).isEmpty();
    assertThat(stored.of("ada")).isEmpty();
  }

  @Test
  void whatWasForgottenMayWriteAgain() throws InterruptedException {
    model.blocks().and().says("Fine.").says("Good.");
    send("1", "ada");
    model.awaitRequests(1);
    assertThat(stored.forget("ada").all()).isTrue();

    send("2", "ada");

    assertThat(nextRead()).isEqualTo("2");
    assertThat(usersWords()).hasSize(1);
    assertThat(stored.of("ada")).hasSize(1);
  }

  @Test
  void whatWasReadBeforeIsNotReadAgain() throws InterruptedException {
    model.says("Fine.").says("Good.");
    send("1", "ada");
    assertThat(nextRead()).isEqualTo("1");
    assertThat(stored.forget("ada").all()).isTrue();

    send("2", "ada");

    assertThat(nextRead()).isEqualTo("2");
    assertThat(usersWords()).hasSize(1);
    assertThat(stored.of("ada")).hasSize(1);
  }

  private List<Message> usersWords() {
    return model.lastRequest().messages().stream().filter(Message.User.class::isInstance).toList();
  }

  @Test
  void whatWaitsElsewhereIsForgottenByTheRouterOfTheAgent() {
    List<String> forgotten = new ArrayList<>();
    LocalRouter router = new LocalRouter(time);
    router.agent(
        "Bo",
        new MessageRouter() {
          @Override
          public Delivery send(Letter letter) {
            return Delivery.DONE;
          }

          @Override
          public void forget(String principal) {
            forgotten.add(principal);
          }
        });
    try (Agent al =
        Agent.builder("Al")
            .model(model)
            .store(new InProcessConversations())
            .router(router)
            .build()) {
      assertThat(router.send(letter("1", "ada")).delivered()).isEqualTo(1);
      assertThat(router.send(letter("2", "ada")).delivered()).isZero();

      assertThat(al.storedConversations().forget("ada").all()).isTrue();

      assertThat(forgotten).containsExactly("ada");
      assertThat(router.send(letter("2", "ada")).delivered()).isEqualTo(1);
    }
  }

  @Test
  void theUsersOfATokenFillHalfOfTheQueueTogether() {
    model.blocks();
    send("0", "bob");
    model.awaitRequests(1);
    for (int i = 1; i <= 50; i++) {
      send("u" + i, "be/u" + i);
    }

    assertThat(inbox.send(letter("more", "be/more")))
        .isEqualTo(
            Delivery.failed(
                "the inbox of agent 'Bo' has 50 messages of the users of this token to read, their"
                    + " limit; try again later"));
    send("a", "ada");

    assertThat(stored.forget("be/u7").all()).isTrue();
    send("more", "be/more");
    inbox.left().stream()
        .map(Letter::principal)
        .distinct()
        .forEach(principal -> assertThat(stored.forget(principal).all()).isTrue());
    assertThat(inbox.left()).isEmpty();
  }
}
