package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.ScriptedModel;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A worker whose database does not take what is written before a call.
@Tag("slow")
class FullDiskOfWorkersTest {
  private final String place = PostgresServer.newPlace();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger paid = new AtomicInteger();
  private final List<String> read = new ArrayList<>(); // by the model, of results; guarded by this

  @Test
  @SuppressWarnings("try") // the worker is there to be closed
  void continuesTurnOnceTheDiskHasRoom() {
    try (Storage storage = Storage.shared(place, Path.of(""))) {
      ConversationStore store = storage.conversations("agent");
      execute(
          "CREATE FUNCTION extend() RETURNS trigger LANGUAGE plpgsql AS"
              + " $$BEGIN RAISE EXCEPTION 'No space left' USING ERRCODE = 'disk_full'; END$$");
      Agent agent =
          Agent.builder("agent")
              .model(ScriptedModel.answering(this::reply))
              .tools(
                  Tool.dynamic("pay")
                      .handler((arguments, context) -> {
                        paid.incrementAndGet();
                        return "paid";
                      }))
              .store(store)
              .time(storage.time())
              .build();
      try (Agent.Worker worker = agent.work(new Agent.Cluster(Duration.ofSeconds(1), 4))) {
        assertThat(agent.queue().submit("c", new Input.Said("one", "Pay."))).isTrue();
        await().until(() -> store.state("c").load().value().loop().last() != null);
      }
    }
    assertThat(paid).hasValue(1);
    synchronized (this) {
      assertThat(read).containsExactly("paid");
    }
  }

  /// The disk is full when it is asked for the first time, and not any more at the second.
  private ModelReply reply(ModelRequest request) {
    if (request.messages().getLast() instanceof Message.Result result) {
      synchronized (this) {
        read.add(result.text());
      }
      free();
      return ModelReply.text("Done.");
    }
    if (asked.incrementAndGet() == 1) {
      execute("CREATE TRIGGER disk BEFORE INSERT ON line FOR EACH ROW EXECUTE FUNCTION extend()");
    } else {
      free();
    }
    return ModelReply.calls(RequestedCall.of("p", "pay", "{}"));
  }

  private void free() {
    execute("DROP TRIGGER IF EXISTS disk ON line");
  }

  private void execute(String sql) {
    try (Connection connection = PostgresServer.connect(place);
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
