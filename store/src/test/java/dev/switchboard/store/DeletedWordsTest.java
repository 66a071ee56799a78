package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.StoredConversations;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.text.MemoryOwner;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is deleted is in no file of the database, nor in its backup.
class DeletedWordsTest {
  private static final String SECRET = "QXJ4711SECRETNAME";
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path folder;

  @Test
  void theWordsOfADeletedConversationAreGone() throws Exception {
    try (Storage storage = Storage.open("sqlite:a.db", folder)) {
      ConversationStore store = storage.conversations("A");
      talk(storage, store, "kept", "nothing");
      talk(storage, store, "d1", "My number is " + SECRET + ". " + (SECRET + " ").repeat(2_000));
      assertThat(holding()).isNotEmpty();

      assertThat(
              new StoredConversations("A", store, storage.memory(), Time.SYSTEM)
                  .delete("d1", false))
          .isTrue();
      assertThat(store.lines("kept", 10)).isNotEmpty();
    }

    assertThat(holding()).isEmpty();
    backUp();
    assertThat(Files.exists(folder.resolve("backup.db"))).isTrue();
    assertThat(holding()).isEmpty();
  }

  @Test
  void opensFileAndErasesWordsDeletedByOlderVersion() throws Exception {
    Storage.open("sqlite:a.db", folder).close();
    execute("PRAGMA secure_delete = OFF");
    execute(
        "INSERT INTO line (agent, conversation, number, key, entry) VALUES ('A', 'c', 1, 'k', '"
            + SECRET.repeat(1_000)
            + "')",
        "DELETE FROM line",
        "INSERT INTO memory_words (rowid, words) VALUES (1, '" + SECRET + "')",
        "DELETE FROM memory_words WHERE rowid = 1",
        "PRAGMA user_version = " + Tables.OWNED);
    assertThat(holding()).isNotEmpty();

    Storage.open("sqlite:a.db", folder).close();

    assertThat(holding()).isEmpty();
  }

  @Test
  void theWordsOfADeletedEntryAreGone() throws Exception {
    try (Storage storage = Storage.open("sqlite:a.db", folder)) {
      MemoryStore memory = storage.memory();
      List<Entry> entries =
          IntStream.range(0, 300)
              .mapToObj(i -> entry(String.valueOf(i), (i == 150 ? SECRET : "word" + i) + " said"))
              .toList();
      assertThat(memory.insertAll(entries)).isEqualTo(300);
      assertThat(holding()).isNotEmpty();

      assertThat(memory.delete("A", Entry.ARCHIVAL, "150")).isTrue();

      assertThat(holding()).isEmpty();
    }
  }

  @Test
  void theWordsOfADeletedBlockAreGone() throws Exception {
    try (Storage storage = Storage.open("sqlite:a.db", folder)) {
      Block block = Block.of("A", "guest", Block.Kind.CORE).withValue(SECRET);
      assertThat(storage.memory().apply(List.of(new MemoryStore.Change(null, block, null))))
          .isTrue();
      assertThat(holding()).isNotEmpty();

      assertThat(storage.memory().apply(List.of(new MemoryStore.Change(block, null, null))))
          .isTrue();

      assertThat(holding()).isEmpty();
    }
  }

  @Tag("slow")
  @Test
  void erasesWordsOfForgottenPrincipals() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < 40; round++) {
      try (Storage storage = Storage.open("sqlite:a.db", folder)) {
        ConversationStore store = storage.conversations("A");
        List<String> all = Stream.of("SECRETNAMEa", "SECRETNAMEb", "SECRETNAMEc", "kept").toList();
        for (int i = 0; i < 12; i++) {
          for (String principal : all) {
            String words = (principal + round + "w" + i + " ").repeat(1 + random.nextInt(70));
            String conversation = principal + round + "-" + i % 3;
            store.append(conversation, 0, new ConversationStore.Line("k" + i, Json.of(words)));
            String owner = MemoryOwner.of("A", principal);
            assertThat(storage.memory().insert(entry(owner, round + "-" + i, words))).isTrue();
          }
        }
        StoredConversations stored =
            new StoredConversations("A", store, storage.memory(), Time.SYSTEM);
        for (String principal : all.subList(0, 3)) {
          for (int i = 0; i < 3; i++) {
            assertThat(stored.delete(principal + round + "-" + i, true)).isTrue();
          }
          assertThat(stored.forget(principal).all()).isTrue();
        }
      }
      assertThat(holding()).as("round " + round).isEmpty();
    }
  }

  @Tag("slow")
  @Test
  void aFileWithMuchInItIsRewrittenWhenItIsClosed() throws Exception {
    Json much = Json.of("x".repeat(1 << 20));
    try (Storage storage = Storage.open("sqlite:a.db", folder)) {
      ConversationStore store = storage.conversations("A");
      for (int i = 0; i < (Scrub.SMALL >> 20) + 1; i++) {
        store.append("kept", 0, new ConversationStore.Line("k" + i, much));
      }
      for (int i = 0; i < 100; i++) {
        store.append("d", 0, new ConversationStore.Line("k" + i, Json.of(SECRET.repeat(100))));
      }
      assertThat(store.directory().delete("d")).isTrue();

      assertThat(rows("PRAGMA freelist_count").getFirst()).isNotEqualTo("0");
      assertThat(store.lines("kept", 100)).hasSize((int) (Scrub.SMALL >> 20) + 1);
    }

    assertThat(rows("PRAGMA freelist_count")).containsExactly("0");
    assertThat(holding()).isEmpty();
  }

  @Tag("slow")
  @Test
  void aRewritingThatIsStoppedLeavesTheFileAsItWas() throws Exception {
    try (Storage storage = Storage.open("sqlite:a.db", folder)) {
      ConversationStore store = storage.conversations("A");
      for (int i = 0; i < 40; i++) {
        Json line = Json.of("x".repeat(1 << 20));
        store.append("kept", 0, new ConversationStore.Line("k" + i, line));
      }
      assertThat(IntStream.range(0, 100).anyMatch(unused -> isStopped())).isTrue();
      store.append("kept", 0, new ConversationStore.Line("last", Json.of("y")));
      assertThat(store.lines("kept", 100)).hasSize(41);
      assertThat(rows("PRAGMA integrity_check")).containsExactly("ok");
    }
  }

  /// Whether a rewriting was stopped, and not at its end before.
  private boolean isStopped() {
    Rewriting rewriting = new Rewriting();
    AtomicBoolean done = new AtomicBoolean(true);
    try (Connection own =
        DriverManager.getConnection("jdbc:sqlite:" + folder + "/a.db?busy_timeout=60000")) {
      Thread running =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  done.set(rewriting.done(own, true));
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      while (running.isAlive()) {
        rewriting.stop();
        Thread.onSpinWait();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return !done.get();
  }

  @Test
  void aNumberOfAForgottenPrincipalsMemoryIsNotUsedAgain() throws Exception {
    try (Storage storage = Storage.open("sqlite:a.db", folder)) {
      for (int i = 0; i < 5; i++) {
        String owner = MemoryOwner.of("A", "ann" + i);
        assertThat(storage.memory().insert(entry(owner, "1", "tea"))).isTrue();
        assertThat(storage.memory().delete(owner, Entry.ARCHIVAL, "1")).isTrue();
        assertThat(rows("SELECT agent FROM memory_scope")).containsExactly("");
        assertThat(rows("SELECT number FROM memory_scope")).containsExactly("" + (i + 1));
      }
      assertThat(storage.memory().agents()).isEmpty();
    }
  }

  private List<String> rows(String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder + "/a.db");
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      while (found.next()) {
        rows.add(found.getString(1));
      }
    }
    return rows;
  }

  private static void talk(Storage storage, ConversationStore store, String id, String text) {
    ScriptedModel model =
        id.equals("kept")
            ? new ScriptedModel().says("Noted.")
            : new ScriptedModel()
                .calls(
                    "recall",
                    "{\"operation\":\"insert\",\"label\":\"n\",\"content\":\"" + SECRET + "\"}")
                .says("Noted, " + SECRET + ".");
    try (Agent agent =
        Agent.builder("A")
            .model(model)
            .store(store)
            .memory(storage.memory())
            .builtIns("recall")
            .build()) {
      var unused = agent.conversation(id).say(text);
    }
  }

  private static Entry entry(String id, String text) {
    return entry("A", id, text);
  }

  private static Entry entry(String owner, String id, String text) {
    return new Entry(owner, Entry.ARCHIVAL, id, "x", null, text, List.of(), NOON);
  }

  private void backUp() throws SQLException {
    execute("VACUUM INTO '" + folder + "/backup.db'");
  }

  private void execute(String... commands) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder + "/a.db");
        Statement statement = connection.createStatement()) {
      for (String command : commands) {
        boolean unused = statement.execute(command);
      }
    }
  }

  /// The files with the secret.
  private Set<String> holding() throws IOException {
    Set<String> holding = new TreeSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (bytes.toLowerCase(Locale.ROOT).contains("secretname")) {
          holding.add(file.getFileName().toString());
        }
      }
    }
    return holding;
  }
}
