package dev.switchboard.store;

import static dev.switchboard.contract.MemoryPlace.entry;
import static dev.switchboard.contract.MemoryPlace.owned;
import static dev.switchboard.contract.MemoryPlace.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.contract.ConversationStoreContract;
import dev.switchboard.contract.VectorStoreContract;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.VectorStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteMemoryTest implements VectorStoreContract {
  @TempDir private Path folder;
  private final List<Storage> opened = new ArrayList<>();

  @Override
  public String name() {
    return "SQLite";
  }

  @Override
  public VectorStore open() {
    return storage().memory();
  }

  private Storage storage() {
    Storage storage = Storage.open("sqlite:store.db", folder);
    opened.add(storage);
    return storage;
  }

  @AfterEach
  void close() {
    opened.forEach(Storage::close);
  }

  @Test
  void conversationsAndMemoryShareAFile() {
    Storage storage = storage();
    ConversationStore conversations = storage.conversations("a");
    conversations.settled("c", 0, 0, ConversationStoreContract.settled("1"));
    assertThat(storage.memory().insert(entry("1", "dog"))).isTrue();
    conversations.close();

    assertThat(storage.conversations("a").settledCall("c", "1")).isNotNull();
    assertThat(found(query("dog"))).containsExactly("dog");
  }

  @Test
  void theIndexStaysInStepWithTheEntries() throws Exception {
    MemoryStore store = open();
    List<Callable<Boolean>> work =
        IntStream.range(0, 200)
            .mapToObj(i -> (Callable<Boolean>) () -> writeAndPerhapsDelete(store, i))
            .toList();
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var one : writers.invokeAll(work)) {
        assertThat(one.get()).isTrue();
      }
    }
    assertThat(open().search(query("dog")).total()).isEqualTo(100);
    assertThat(number("SELECT count(*) FROM memory_words_docsize")).isEqualTo(100);
    assertThat(
            number(
                "SELECT count(*) FROM memory_entry e"
                    + " JOIN memory_words_docsize w ON w.id = e.number"))
        .isEqualTo(100);
    execute("INSERT INTO memory_words (memory_words) VALUES ('integrity-check')");
  }

  private static boolean writeAndPerhapsDelete(MemoryStore store, int i) {
    Entry entry = entry("e" + i, "dog " + i);
    boolean done = store.insert(entry) && !store.insert(entry);
    return done && (i % 2 == 0 || store.delete("a", Entry.ARCHIVAL, entry.id()));
  }

  @Test
  void whatFailsInBetweenIsNotKept() throws SQLException {
    MemoryStore store = open();
    assertThat(store.insert(entry("1", "dog"))).isTrue();
    execute("DROP TABLE memory_tag");

    Entry tagged = new Entry("a", Entry.ARCHIVAL, "2", "l", null, "dog", List.of("t"), NOON);
    List<Entry> batch = new ArrayList<>();
    IntStream.range(0, 250).forEach(i -> batch.add(entry("e" + i, "dog")));
    batch.add(tagged);
    for (List<Entry> failing : List.of(List.of(tagged), batch)) {
      assertThatThrownBy(() -> store.insertAll(failing))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("cannot be written");
    }
    assertThat(store.insert(entry("3", "dog"))).isTrue();
    assertThat(store.search(query("dog")).total()).isEqualTo(2);
    assertThat(store.entry("a", Entry.ARCHIVAL, "2")).isNull();
  }

  @Test
  void readsWhileAnotherProcessWrites() throws SQLException {
    MemoryStore store = open();
    assertThat(store.insert(entry("1", "dog"))).isTrue();
    try (Connection other = connection();
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      statement.execute("DELETE FROM memory_entry");

      assertThat(store.search(query("dog")).total()).isEqualTo(1);
      assertThat(store.blocks("a")).isEmpty();
      statement.execute("ROLLBACK");
    }
  }

  @Test
  void aClosedStoreIsOneSentence() {
    Storage storage = storage();
    MemoryStore store = storage.memory();
    storage.close();

    assertThatThrownBy(() -> store.blocks("a"))
        .isInstanceOf(StoreException.class)
        .hasMessageEndingWith("cannot be read: it is closed.");
    assertThatThrownBy(() -> store.insert(owned("b", entry("1", "x"))))
        .isInstanceOf(StoreException.class);
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Connection connection() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("store.db"));
  }
}
