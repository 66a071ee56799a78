package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Announcement.Topic;
import dev.switchboard.execution.ConversationQueue.Claim;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Inputs of conversations that processes share in PostgreSQL, where another process deletes the
/// conversation or lets it go in the same instant.
class SharedQueueTest {
  private final String place = PostgresServer.newPlace() + "&ApplicationName=shared-queue";
  private final Storage storage = Storage.shared(place, Path.of(""));
  private final ConversationStore store = storage.conversations("agent");
  private final ConversationQueue queue = Objects.requireNonNull(store.queue());

  @AfterEach
  void close() {
    storage.close();
  }

  private static Line said(String id) {
    return InputJson.line(new Input.Said(id, "Hello."));
  }

  @Test
  void takesInputsOnlyFromThePrincipalOfTheConversation() {
    assertThat(queue.submit("c", "zoe", said("one"))).isTrue();

    assertThatThrownBy(() -> queue.submit("c", "yan", said("two")))
        .isInstanceOf(ConversationNotFoundException.class);
    assertThatThrownBy(() -> queue.submitKnown("c", "yan", said("two")))
        .isInstanceOf(ConversationNotFoundException.class);
    assertThat(queue.inputs("c")).hasSize(1);
    assertThat(queue.claim(Duration.ofSeconds(3), 1, 0).getFirst().principal()).isEqualTo("zoe");
  }

  @Test
  void inputDoesNotRecreateDeletedConversation() {
    assertThat(queue.submit("c", "local", said("one"))).isTrue();
    assertThat(queue.submitKnown("c", "local", said("two"))).isTrue();
    assertThat(store.directory().delete("c")).isTrue();

    assertThatThrownBy(() -> queue.submitKnown("c", "local", said("three")))
        .isInstanceOf(NoSuchElementException.class);

    assertThat(store.directory().conversation("c")).isNull();
    assertThat(queue.inputs("c")).isEmpty();
  }

  @Test
  void inputStoredDuringDeletionIsDeletedToo() {
    assertThat(queue.submit("c", "local", said("one"))).isTrue();
    CountDownLatch locked = new CountDownLatch(1);
    CompletableFuture<Boolean> submitting;
    try (Postgres other = Postgres.open(place)) {
      submitting =
          CompletableFuture.supplyAsync(() ->
              other.together(session -> {
                assertThat(
                        session
                            .run(List.of(new LineTable("agent", Time.SYSTEM).lock("c", 0, null)))
                            .isKept())
                    .isTrue();
                locked.countDown();
                await().until(() -> PostgresServer.waiting("shared-queue") > 0);
                return session.change(
                    "INSERT INTO input (agent, conversation, number, id, entry)"
                        + " VALUES ('agent', 'c', 2, 'two', '{}')");
              }));
      locked.await();
      assertThat(store.directory().delete("c")).isTrue();
      assertThat(submitting.join()).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }

    assertThat(queue.inputs("c")).isEmpty();
  }

  @Test
  @SuppressWarnings("try") // it listens until it is closed
  void aConversationThatIsReleasedWhileInputsWaitIsAnnounced() {
    assertThat(queue.submit("c", "local", said("one"))).isTrue();
    Claim claim = queue.claim(Duration.ofMinutes(1), 1, 0).getFirst();
    assertThat(queue.submitKnown("c", "local", said("two"))).isTrue();
    List<Topic> heard = new CopyOnWriteArrayList<>();
    try (ConversationQueue.Listening unused =
        queue.listen((Announcement what) -> heard.add(what.topic()))) {
      Cell<ConversationState> cell = store.state("c");
      Cell.Version<ConversationState> known = cell.load();
      Lease ended = new Lease(claim.fence(), null);
      assertThat(cell.replace(known, known.value().withLease(ended))).isTrue();

      await().until(() -> heard.contains(Topic.DUE));
    }
  }

  @Test
  void inputStoredDuringReleaseMakesConversationDue() throws InterruptedException {
    assertThat(queue.submit("c", "local", said("one"))).isTrue();
    Claim claim = queue.claim(Duration.ofMinutes(1), 1, 0).getFirst();
    queue.drop("c", "one");
    Cell<ConversationState> cell = store.state("c");
    Cell.Version<ConversationState> known = cell.load();
    CountDownLatch locked = new CountDownLatch(1);
    try (Postgres other = Postgres.open(place)) {
      CompletableFuture<Boolean> submitting =
          CompletableFuture.supplyAsync(() ->
              other.together(session -> {
                assertThat(
                        session
                            .run(List.of(new LineTable("agent", Time.SYSTEM).lock("c", 0, null)))
                            .isKept())
                    .isTrue();
                locked.countDown();
                await().until(() -> PostgresServer.waiting("shared-queue") > 0);
                return session.change(
                        "INSERT INTO input (agent, conversation, number, id, entry)"
                            + " VALUES ('agent', 'c', 2, 'two', '{}')")
                    && session.change("UPDATE conversation SET due = due WHERE id = 'c'");
              }));
      locked.await();
      Lease ended = new Lease(claim.fence(), null);
      assertThat(cell.replace(known, known.value().withLease(ended))).isTrue();
      assertThat(submitting.join()).isTrue();
    }

    assertThat(queue.claim(Duration.ofMinutes(1), 1, 0)).hasSize(1);
  }
}
