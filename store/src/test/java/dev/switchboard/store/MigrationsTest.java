package dev.switchboard.store;

import static dev.switchboard.contract.MemoryPlace.entry;
import static dev.switchboard.contract.MemoryPlace.query;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.contract.ConversationStoreContract;
import dev.switchboard.contract.PagesContract;
import dev.switchboard.execution.ConversationDirectory;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.text.MemoryOwner;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file of an earlier version is gone on with, and keeps what is in it.
class MigrationsTest {
  @TempDir private Path folder;

  @BeforeEach
  void write() {
    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      storage.conversations("a").settled("c", 0, 0, ConversationStoreContract.settled("1"));
      Memory.begin(
          storage.memory(), List.of(Block.of("a", "n", Block.Kind.CORE).withValue("text")));
      assertThat(storage.memory().insert(entry("1", "dog"))).isTrue();
    }
  }

  private void execute(String... commands) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("store.db"));
        Statement statement = connection.createStatement()) {
      for (String command : commands) {
        statement.execute(command);
      }
    }
  }

  /// Puts the tables of conversations back to how they were before they had times, with one call.
  private void withTablesOfConversationsBefore() throws SQLException {
    execute(
        "DROP TABLE input",
        "DROP TABLE event",
        "DROP TABLE line",
        "DROP TABLE conversation",
        "CREATE TABLE conversation (agent TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT"
            + " NULL, state TEXT NOT NULL, due INTEGER, PRIMARY KEY (agent, id))",
        "CREATE INDEX conversation_due ON conversation (agent, due) WHERE due IS NOT NULL",
        "CREATE TABLE settled_call (number INTEGER PRIMARY KEY, agent TEXT NOT NULL, conversation"
            + " TEXT NOT NULL, call_id TEXT NOT NULL, turn INTEGER NOT NULL, tool TEXT NOT NULL,"
            + " arguments TEXT NOT NULL, result TEXT NOT NULL, UNIQUE (agent, conversation,"
            + " call_id))",
        "CREATE INDEX settled_call_turn ON settled_call (agent, conversation, turn)",
        "CREATE TABLE loop (agent TEXT NOT NULL, conversation TEXT NOT NULL, version INTEGER NOT"
            + " NULL, state TEXT NOT NULL, PRIMARY KEY (agent, conversation))",
        "CREATE TABLE line (number INTEGER PRIMARY KEY, agent TEXT NOT NULL, conversation TEXT NOT"
            + " NULL, key TEXT NOT NULL, entry TEXT NOT NULL, UNIQUE (agent, conversation, key))",
        "CREATE INDEX line_number ON line (agent, conversation, number)",
        "INSERT INTO settled_call VALUES (1, 'a', 'c', '1', 0, 'pay', '{}',"
            + " '{\"success\":true,\"text\":\"paid\"}')");
  }

  private void searchesByMeaning(VectorStore memory) {
    memory.embed(
        memory.unembedded("a", "m", 0, 9).getFirst().number(), "m", VectorStore.Vector.of(1, 0));
    assertThat(memory.nearest(query(""), "m", VectorStore.Vector.of(1, 0))).hasSize(1);
  }

  @Test
  void aFileWithoutVectorsGetsThem() throws SQLException {
    withTablesOfConversationsBefore();
    execute(
        "DROP TABLE memory_vector",
        "DROP INDEX memory_edit_key",
        "ALTER TABLE memory_edit DROP COLUMN key",
        "PRAGMA user_version = 3");

    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      assertThat(storage.memory().search(query("dog")).total()).isEqualTo(1);
      assertThat(storage.memory().block("a", "n")).extracting(Block::value).isEqualTo("text");
      searchesByMeaning(storage.memory());
    }
  }

  @Test
  void aFileWithoutKeysOfEditsGetsThem() throws SQLException {
    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      Memory memory = Memory.of(storage.memory(), "a", Time.SYSTEM);
      assertThat(memory.append("n", " more").value()).isEqualTo("text more");
    }
    withTablesOfConversationsBefore();
    execute(
        "DROP INDEX memory_edit_key",
        "ALTER TABLE memory_edit DROP COLUMN key",
        "PRAGMA user_version = 4");

    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      Memory call = Memory.of(storage.memory(), "a", Time.SYSTEM).ofCall("k");
      assertThat(call.append("n", "!").value()).isEqualTo("text more!");
      assertThat(call.append("n", "!").value()).isEqualTo("text more!");
      assertThat(storage.memory().edits("a", "n", 9))
          .extracting(Block.Edit::key)
          .containsExactly("k", null);
    }
  }

  @Test
  void linesOfAFileWithoutTimesTellTheirOwn() throws SQLException {
    Json first = Json.text("{\"at\":\"2026-01-02T03:04:05Z\"}");
    Json latest = Json.text("{\"at\":\"2026-02-02T03:04:05Z\"}");
    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      ConversationStore conversations = storage.conversations("a");
      assertThat(conversations.append("old", 0, new Line("k1", first))).isTrue();
      assertThat(conversations.append("old", 0, new Line("k2", latest))).isTrue();
      assertThat(conversations.append("odd", 0, new Line("k1", Json.text("{}")))).isTrue();
    }
    execute("UPDATE line SET at = NULL");
    execute("UPDATE conversation SET created = NULL");

    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      assertThat(storage.conversations("a").directory().conversations())
          .extracting(one -> one.id() + " " + one.started() + " " + one.last())
          .containsExactlyInAnyOrder(
              "c null null", "old 2026-01-02T03:04:05Z 2026-02-02T03:04:05Z", "odd null null");
    }
  }

  @Test
  void migrationAssignsOwnersToConversationsAndWords() throws SQLException {
    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      ConversationStore store = storage.conversations("a");
      store.directory().create("zoes", Header.of("zoe"));
      store.directory().create("call", phoneCall());
      storage.memory().insertAll(List.of(said("zoes", "blue whale"), said("c", "grey whale")));
    }
    execute(
        "UPDATE conversation SET principal = NULL WHERE id <> 'zoes'",
        "PRAGMA user_version = " + (Tables.OWNED - 1));

    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      ConversationStore store = storage.conversations("a");
      assertThat(store.load("c").principal()).isEqualTo("local");
      assertThat(store.load("call").principal()).isEqualTo("call:call");
      assertThat(found(storage, "a")).containsExactly("grey whale");
      assertThat(found(storage, MemoryOwner.of("a", "zoe"))).containsExactly("blue whale");
    }
  }

  private static Header phoneCall() {
    return new Header("x", null, null, Json.text("{\"phone\":{\"from\":\"+49\"}}"));
  }

  private static Entry said(String conversation, String text) {
    return new Entry(
        "a",
        Entry.CONVERSATIONS,
        conversation + "/1",
        conversation,
        "user",
        text,
        List.of(),
        Instant.EPOCH);
  }

  private static List<String> found(Storage storage, String owner) {
    return storage
        .memory()
        .search(MemoryQuery.of(owner, "whale", Entry.CONVERSATIONS))
        .hits()
        .stream()
        .map(hit -> hit.entry().text())
        .toList();
  }

  @Test
  void conversationsOfAFileWithoutTimesStandInOnePageEach() throws SQLException {
    List<String> ids = List.of("new", "old", "odd");
    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      for (String id : ids) {
        Json line =
            Json.text(
                switch (id) {
                  case "new" -> "{\"at\":\"2026-02-02T03:04:05.678901Z\"}";
                  case "old" -> "{\"at\":\"2026-01-02T03:04:05Z\"}";
                  default -> "7";
                });
        assertThat(storage.conversations("a").append(id, 0, new Line("k1", line))).isTrue();
      }
    }
    execute(
        "UPDATE line SET at = NULL",
        "UPDATE conversation SET created = NULL",
        "PRAGMA user_version = " + (Tables.OWNED - 2));

    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      ConversationStore store = storage.conversations("a");
      assertThat(store.directory().conversation("new").started())
          .isEqualTo("2026-02-02T03:04:05.679Z");
      List<String> listed = new ArrayList<>();
      for (Position before = null; listed.size() < 4; ) {
        ConversationDirectory.Summary next =
            store.directory().conversations(new Selection(null, before, 1)).getFirst();
        listed.add(next.id());
        before = next.position();
      }
      assertThat(listed).containsExactly("new", "old", "odd", "c");
    }
  }

  @Test
  void openRequestsOfAFileWithoutTheirTableAreListed() throws SQLException {
    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      ConversationStore store = storage.conversations("a");
      for (int i = 0; i < 250; i++) {
        store.directory().create("c" + i, Header.of("zoe"));
        PagesContract.ask(store, "c" + i, Instant.EPOCH, Instant.EPOCH);
      }
    }
    execute("DROP TABLE request", "PRAGMA user_version = " + (Tables.LISTED - 1));

    try (Storage storage = Storage.open("sqlite:store.db", folder)) {
      assertThat(storage.conversations("a").directory().waiting(new Selection("zoe", null, 501)))
          .hasSize(500)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void aFileWithoutMemoryGetsIt() throws SQLException {
    for (String table :
        List.of("block", "edit", "share", "scope", "entry", "tag", "words", "vector")) {
      execute("DROP TABLE memory_" + table);
    }
    withTablesOfConversationsBefore();
    execute("PRAGMA user_version = 2");

    try (Storage storage = Storage.open("sqlite:store.db", folder);
        ConversationStore conversations = storage.conversations("a")) {
      assertThat(conversations.settledCall("c", "1")).isNotNull();
      assertThat(storage.memory().insert(entry("2", "cat"))).isTrue();
      searchesByMeaning(storage.memory());
    }
  }

  @Test
  void severalMayOpenANewFileAtATime() throws Exception {
    for (int i = 0; i < 20; i++) {
      String url = "sqlite:new%d.db".formatted(i);
      List<Callable<Boolean>> work =
          IntStream.range(0, 8).mapToObj(id -> (Callable<Boolean>) () -> kept(url, id)).toList();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (var one : threads.invokeAll(work)) {
          assertThat(one.get()).isTrue();
        }
      }
    }
  }

  private boolean kept(String url, int id) {
    try (Storage storage = Storage.open(url, folder)) {
      return storage.memory().insert(entry("" + id, "dog"));
    }
  }
}
