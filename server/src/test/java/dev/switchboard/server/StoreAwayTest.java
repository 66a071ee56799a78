package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.server.TestServer.Answer;
import dev.switchboard.store.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// While the store does not answer, every route says so, and the log does once.
@Isolated("it reads the log")
class StoreAwayTest {
  @TempDir Path folder;

  /// What is logged of requests.
  private static final class Lines extends Handler {
    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord line) {
      if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
        lines.add(line.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static Map<String, Answer> all(TestServer.Client client) {
    Map<String, Answer> answers = new LinkedHashMap<>();
    for (String path :
        List.of(
            "/v1/conversations",
            "/v1/conversations?status=waiting",
            "/v1/conversations/c1",
            "/v1/conversations/c1/events",
            "/v1/approvals",
            "/v1/approvals/c1:x/lines")) {
      answers.put("GET " + path, client.get(path));
    }
    answers.put("create", client.post("/v1/agents/Desk/conversations", "{\"id\":\"c2\"}"));
    answers.put("turn", client.post("/v1/conversations/c1/turns", "{\"text\":\"hi\"}"));
    answers.put("cancel", client.post("/v1/conversations/c1/cancel", "{}"));
    answers.put("answer", client.post("/v1/approvals/c1:x", "{\"decision\":\"approve\"}"));
    answers.put("delete", client.delete("/v1/conversations/c1"));
    answers.put(
        "AG-UI",
        client.post(
            "/agui/Desk",
            "{\"threadId\":\"t1\",\"runId\":\"r1\",\"messages\":[{\"id\":\"m\",\"role\":\"user\",\"content\":\"x\"}]}"));
    answers.put(
        "AI SDK",
        client.post(
            "/ai/Desk",
            "{\"id\":\"u1\",\"messages\":[{\"id\":\"m1\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"x\"}]}]}"));
    answers.put(
        "OpenAI",
        client.post(
            "/v1/chat/completions",
            "{\"model\":\"Desk\",\"metadata\":{\"conversation\":\"k1\"},\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}"));
    return answers;
  }

  @Test
  void everyRouteSaysThatNothingIsStored() {
    Storage storage = Storage.shared("sqlite:away.db", folder);
    Logger logger = Logger.getLogger("dev.switchboard.server.access.ErrorAnswers");
    Lines log = new Lines();
    logger.addHandler(log);
    try (TestServer server = TestServer.on(storage, UnaryOperator.identity())) {
      assertThat(server.operator.post("/v1/agents/Desk/conversations", "{\"id\":\"c1\"}").status())
          .isEqualTo(201);
      storage.close();

      List<String> wrong = new ArrayList<>();
      all(server.operator)
          .forEach((route, answer) -> {
            if (answer.status() != 503 || !answer.text().contains("\"not_stored\"")) {
              wrong.add(route + ": " + answer.status() + " " + answer.text());
            }
          });
      assertThat(wrong).isEmpty();
      assertThat(log.lines)
          .hasSizeBetween(1, 2)
          .allMatch(line -> line.startsWith("requests are refused: The store "));
    } finally {
      logger.removeHandler(log);
    }
  }
}
