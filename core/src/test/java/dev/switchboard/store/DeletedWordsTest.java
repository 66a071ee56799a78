package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.StoredConversations;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
  void wordsThatAnEarlierVersionHasDeletedGoOnceTheFileIsOpened() throws Exception {
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
    return new Entry("A", Entry.ARCHIVAL, id, "x", null, text, List.of(), NOON);
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
