package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.server.TestServer.Answer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A store that refuses to store an input, or stores it and says nothing: either the client is told
/// that it is not stored, and it is not, or its turn runs to its end.
class RefusedInputTest {
  private final InProcessConversations kept = new InProcessConversations();
  private final AtomicInteger refuses = new AtomicInteger(); // writes that begin a turn
  private final AtomicInteger loses = new AtomicInteger(); // answers to these
  private final TestServer server = new TestServer(agent -> agent.store(store()));

  private boolean closed;

  @AfterEach
  void close() {
    if (!closed) {
      server.close();
    }
  }

  private ConversationStore store() {
    return (ConversationStore)
        Proxy.newProxyInstance(
            ConversationStore.class.getClassLoader(),
            new Class<?>[] {ConversationStore.class},
            (proxy, method, arguments) -> {
              boolean begins =
                  method.getName().equals("write")
                      && arguments[2] instanceof Writing writing
                      && writing.lines().stream().anyMatch(line -> line.key().endsWith("/input"));
              if (begins && refuses.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("the table of lines is locked");
              }
              Object done;
              try {
                done = method.invoke(kept, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (begins && loses.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("the connection was lost");
              }
              return done;
            });
  }

  private Answer say(String words, String key) {
    return server.zoe.send(
        server
            .zoe
            .request("/v1/conversations/c1/turns")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("{\"text\":\"" + words + "\"}"))
            .build());
  }

  private String events() {
    return server.zoe.get("/v1/conversations/c1/events").text();
  }

  private void begin() {
    server.model.says("Hello.");
    server.zoe.post("/v1/agents/Desk/conversations", "{\"id\":\"c1\"}");
    server.zoe.say("c1", "First");
    server.model.says("It is done.");
  }

  @Test
  void anInputThatIsNotStoredIsNotInTheLog() {
    begin();
    refuses.set(Integer.MAX_VALUE);
    Answer answer = say("Second", "k");
    refuses.set(0);
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.json().path("code").asString()).isEqualTo("not_stored");
    assertThat(events()).doesNotContain("Second");

    assertThat(say("Second", "k").status()).isLessThan(300);
    await().until(() -> events().contains("It is done."));
    assertThat(server.model.requests()).hasSize(2);
  }

  @Test
  void anInputThatWasStoredAllTheSameIsProcessedByItself() {
    begin();
    loses.set(1);
    Answer unused = say("Second", "k");
    await().until(() -> events().contains("It is done."));
    assertThat(events()).containsOnlyOnce("Second");
    assertThat(say("Second", "k").status()).isLessThan(300);
    assertThat(server.model.requests()).hasSize(2);
  }

  @Test
  void anotherInputDoesNotTakeTheTurnOfOneThatWasStored() {
    begin();
    server.model.says("Third is done.");
    loses.set(1);
    Answer unused = say("Second", "k");
    await().until(() -> say("Third", "l").status() < 300);
    await().until(() -> events().contains("Third is done."));
    assertThat(events()).containsOnlyOnce("Second").contains("It is done.");
    assertThat(server.model.requests()).hasSize(3);
  }

  @Test
  void anInputThatWasStoredIsDueInAnotherProcess() {
    begin();
    loses.set(Integer.MAX_VALUE);
    Answer unused = say("Second", "k");
    server.close();
    closed = true;
    assertThat(kept.due(Instant.now().plus(LeaseTerms.LENGTH), 9)).containsExactly("c1");
  }
}
