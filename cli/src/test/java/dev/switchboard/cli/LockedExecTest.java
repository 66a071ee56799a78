package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.ToolMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/// `exec` answers every id and ends with `done`, whatever becomes of its store.
@Isolated // it asserts what the whole process logs
class LockedExecTest {
  private static final String CALL = "{\"id\":\"%s\",\"name\":\"%s\",\"arguments\":{}}\n";

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Logger logger = Logger.getLogger("dev.switchboard");
  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final Handler log =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          logged.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private ConversationStore store;
  private Connection other;
  private ExecRun run;

  @BeforeEach
  void open() throws SQLException {
    log.setLevel(Level.WARNING);
    logger.addHandler(log);
    store = Storage.sqlite(folder.resolve("a.db"), "A");
    other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
  }

  @AfterEach
  void close() throws SQLException {
    logger.removeHandler(log);
    other.close();
    store.close();
  }

  private Tool tool(String name, String command) {
    return Tool.dynamic(name)
        .mode(ToolMode.EXTERNAL)
        .inline()
        .handler(arguments -> {
          execute(command);
          return "done";
        });
  }

  private void execute(String command) throws SQLException {
    try (Statement statement = other.createStatement()) {
      statement.execute(command);
    }
  }

  /// The events of those lines, each of which waits for the store for a moment only.
  private List<JsonNode> events(String lines) {
    EventLines events = new EventLines(new PrintStream(out, true, StandardCharsets.UTF_8));
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(
                tool("lock", "BEGIN IMMEDIATE"),
                tool("free", "COMMIT"),
                tool("limited", "SELECT 1"))
            .rules(ToolRule.maxCalls("limited", 9))
            .store(store)
            .build();
    ToolSession session = ToolSession.builder("c").store(store).events(events::show).build();
    run = new ExecRun(executor, new ExecRun.Options(true, false), session, events);
    LineReader reader =
        new LineReader(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
    boolean unused =
        store.within(
            Duration.ofMillis(100),
            () -> {
              try {
                run.takeAll(reader);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              return true;
            });
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> Json.text(line).tree())
        .toList();
  }

  private static List<String> answered(List<JsonNode> events) {
    return events.stream()
        .filter(event -> event.path("type").asString().equals("tool_result"))
        .map(event -> event.path("payload"))
        .map(result -> result.path("callId").asString() + " " + result.path("success"))
        .toList();
  }

  private static List<String> errors(List<JsonNode> events) {
    return events.stream()
        .filter(event -> event.path("type").asString().equals("error"))
        .map(event -> event.path("code").asString())
        .toList();
  }

  @Test
  void aStoreThatStaysLockedLeavesNoLineWithoutAnAnswer() {
    List<JsonNode> events =
        events(
            CALL.formatted("1", "lock")
                + "{\"user\":\"And now?\"}\n"
                + CALL.formatted("2", "limited")
                + CALL.formatted("3", "nosuch"));

    assertThat(answered(events)).containsExactly("1 true", "2 false", "3 false");
    assertThat(events.getLast().path("type").asString()).isEqualTo("done");
    assertThat(errors(events)).startsWith("not_stored", "store_failed").endsWith("store_failed");
    assertThat(run.fault())
        .isEqualTo("1 result of conversation 'c' could not be stored: the store did not take it.");
    assertThat(logged).as("told by events, and not once more in the log").isEmpty();
  }

  @Test
  void whatCouldNotBeStoredIsStoredBeforeTheEnd() {
    List<JsonNode> events =
        events(
            CALL.formatted("1", "lock")
                + CALL.formatted("2", "free")
                + "{\"user\":\"And now?\"}\n"
                + CALL.formatted("3", "limited"));

    assertThat(errors(events)).containsExactly("not_stored");
    assertThat(store.settledCall("c", "1")).isNotNull();
    assertThat(answered(events)).containsExactly("1 true", "2 true", "3 true");
    assertThat(run.fault()).isNull();
  }

  @Test
  void aTurnThatCouldNotBeginBeginsWithTheNextCall() {
    List<JsonNode> events =
        events(
            CALL.formatted("1", "lock")
                + "{\"user\":\"And now?\"}\n"
                + "["
                + CALL.formatted("2", "free").strip()
                + "]\n");

    // The call that would free it does not run before its turn has begun.
    assertThat(answered(events)).containsExactly("1 true", "2 false");
    assertThat(store.state("c").load().value().turn()).isZero();
  }
}
