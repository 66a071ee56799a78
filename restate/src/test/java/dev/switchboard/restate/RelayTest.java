package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.json.Json;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workers of an engine hand on what waits in the storage that they share.
@SuppressWarnings("try") // relays are there to be closed
class RelayTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration AGAIN = Duration.ofHours(1);

  private final StubWebhook engine = StubWebhook.start();
  private @TempDir Path folder;
  private Storage storage;
  private ConversationStore store;
  private ConversationQueue queue;

  @BeforeEach
  void open() {
    storage = Storage.shared("sqlite:relay.db", folder);
    store = storage.conversations("Desk");
    queue = Objects.requireNonNull(store.queue());
  }

  @AfterEach
  void close() {
    storage.close();
    engine.close();
  }

  private Relay relay() {
    RestateEngine at = RestateEngine.at("http://" + engine.hostAndPort());
    return new Relay(store, queue, new RestateQueue(at, "Desk"), new RunningTurns(), AGAIN);
  }

  private static Line said(String id) {
    return InputJson.line(new Input.Said(id, "Hello."));
  }

  /// Until they have handed on what came after all else.
  private void awaitAnother() {
    assertThat(queue.submit("another", "local", said("another"))).isTrue();
    assertThat(engine.takeRequest(PATIENCE).path()).contains("/another/");
  }

  @Test
  void oneOfThemHandsOnTheFirstInputThatWaits() {
    engine.answer(202, "{\"status\":\"Accepted\"}");
    try (Relay one = relay();
        Relay two = relay()) {
      assertThat(queue.submit("c 1", "local", said("one"))).isTrue();
      StubRequest request = engine.takeRequest(PATIENCE);
      assertThat(queue.submit("c 1", "local", said("two"))).isTrue();
      awaitAnother();

      assertThat(request.path())
          .isEqualTo("/" + ConversationObject.service("Desk") + "/c%201/take/send");
      assertThat(request.header("idempotency-key")).isEqualTo("one%400");
      assertThat(request.body())
          .isEqualTo(new Request("local", new Input.Said("one", "Hello.")).text());
      assertThat(engine.requests()).hasSize(2);
    }
    assertThat(queue.inputs("c 1")).extracting(Line::key).containsExactly("one", "two");
  }

  @Test
  void whatIsDueWithoutAnInputIsContinued() {
    engine.answer(202, "{\"status\":\"Accepted\"}");
    Cell<ConversationState> cell = store.state("c");
    Lease over = new Lease(1, Instant.ofEpochMilli(1));
    assertThat(cell.replace(cell.load(), ConversationState.NEW.withLease(over))).isTrue();
    try (Relay one = relay()) {
      StubRequest request = engine.takeRequest(PATIENCE);

      assertThat(request.header("idempotency-key")).isEqualTo("resume%2F1%401");
      assertThat(InputJson.read(Json.text(request.body())))
          .isEqualTo(new Input.Resumed("resume/1"));
    }
  }

  @Test
  void retriesWhatTheEngineDoesNotAccept() {
    engine.answer(503, "{\"message\":\"no\"}");
    try (Relay one = relay();
        Relay two = relay()) {
      assertThat(queue.submit("c", "local", said("one"))).isTrue();
      StubRequest unused = engine.takeRequest(PATIENCE);
      awaitAnother();

      assertThat(engine.requests()).hasSize(2);
    }
    assertThat(queue.inputs("c")).hasSize(1);
    assertThat(queue.claim(Duration.ofMinutes(1), 1, 0)).isEmpty();
    assertThat(queue.untilDue()).isBetween(AGAIN.dividedBy(2), AGAIN);
  }
}
