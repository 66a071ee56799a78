package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.contract.ConversationStoreContract;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file that another program has locked, such as a backup, or that is taken away.
class LockedDatabaseTest {
  private static final Duration DEADLINE = Duration.ofMillis(300);

  @TempDir private Path folder;
  private final AtomicInteger ran = new AtomicInteger();
  private ConversationStore store;
  private Connection other;

  /// An executor of a quick tool, with and without a limit that is stored.
  private ToolExecutor door(ToolRule... rules) {
    return ToolExecutor.builder()
        .tools(
            Tool.dynamic("get_x")
                .deadline(DEADLINE)
                .handler(arguments -> "deed " + ran.incrementAndGet()))
        .rules(rules)
        .store(store)
        .build();
  }

  @BeforeEach
  void open() throws SQLException {
    store = Storage.sqlite(folder.resolve("a.db"), "A");
    other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
  }

  @AfterEach
  void close() throws SQLException {
    other.close();
    store.close();
  }

  private void lock(String command) throws SQLException {
    try (Statement statement = other.createStatement()) {
      statement.execute(command);
    }
  }

  private ToolSession session(String id) {
    return ToolSession.builder(id).store(store).build();
  }

  private List<ToolResult> eightAtATime(ToolExecutor door) throws Exception {
    List<Callable<ToolResult>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ToolSession session = session("v" + i);
      calls.add(() -> door.execute(ToolCall.of("c", "get_x", "{}"), session));
    }
    List<ToolResult> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<ToolResult> result : threads.invokeAll(calls)) {
        results.add(result.get());
      }
    }
    return results;
  }

  @Test
  void holdsNoCallUntilItIsUnlocked() throws Exception {
    lock("BEGIN IMMEDIATE");

    assertThat(eightAtATime(door())).hasSize(8).doesNotContainNull();
    assertThat(ran).hasValue(8);
  }

  @Test
  void holdsNoCallWhoseStartIsCountedUntilItIsUnlocked() throws Exception {
    lock("BEGIN IMMEDIATE");

    assertThat(eightAtATime(door(ToolRule.maxCalls("get_x", 9))))
        .hasSize(8)
        .noneMatch(ToolResult::success);
    assertThat(ran).hasValue(0);
  }

  @Test
  void aResultIsStoredOnceTheLockIsGone() throws SQLException {
    ToolExecutor door = door();
    ToolSession session = session("v");
    lock("BEGIN IMMEDIATE");
    assertThat(door.execute(ToolCall.of("c1", "get_x", "{}"), session).text()).isEqualTo("deed 1");
    lock("COMMIT");
    assertThat(door.execute(ToolCall.of("c2", "get_x", "{}"), session).text()).isEqualTo("deed 2");

    assertThat(door.execute(ToolCall.of("c1", "get_x", "{}"), session("v")).text())
        .isEqualTo("deed 1");
  }

  @Test
  void saysThatAnotherProgramHasItLocked() throws SQLException {
    lock("BEGIN IMMEDIATE");

    assertThatThrownBy(() ->
            store.within(
                DEADLINE,
                () -> {
                  store.settled("c", 0, 0, ConversationStoreContract.settled("1"));
                  return true;
                }))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "The store %s cannot be written: another program has it locked, such as a backup or an"
                + " open database shell, and has not released it in time; end that program, or try"
                + " again later.",
            folder.resolve("a.db"));
  }

  @Test
  void nothingIsAcknowledgedIntoAFileThatIsGone() throws IOException {
    Files.delete(folder.resolve("a.db"));

    assertGone();
  }

  @Test
  void nothingIsAcknowledgedIntoAFileThatWasReplaced() throws IOException {
    Files.move(folder.resolve("a.db"), folder.resolve("old.db"));
    Files.copy(folder.resolve("old.db"), folder.resolve("a.db"));

    assertGone();
  }

  private void assertGone() {
    assertThatThrownBy(() -> store.settled("c", 0, 0, ConversationStoreContract.settled("1")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the file was deleted or replaced while it was open");
    assertThatThrownBy(
            () -> store.append("c", 0, new ConversationStore.Line("k", Json.EMPTY_OBJECT)))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void aFileThatIsWrittenOverIsGoneOnWith() throws IOException {
    byte[] now = Files.readAllBytes(folder.resolve("a.db"));
    Files.write(folder.resolve("a.db"), now);

    store.settled("c", 0, 0, ConversationStoreContract.settled("1"));
    assertThat(store.settledCall("c", "1")).isNotNull();
  }

  @Test
  void saysThatTheFolderIsMissing() {
    Path file = folder.resolve("no/such/store.db");
    assertThatThrownBy(() -> Storage.sqlite(file, "agent"))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "The store %s cannot be opened: its folder %s is missing.", file, file.getParent());
  }

  @Test
  void saysThatTheDiskIsFull() {
    SQLException full = new SQLException("[SQLITE_FULL] database or disk is full", "", 13);
    assertThat(SqliteFaults.reason(full))
        .isEqualTo("there is no space left on its disk; make room and try again");
  }
}
