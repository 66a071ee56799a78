package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.StoredConversations;
import dev.switchboard.contract.ConversationWritesContract;
import dev.switchboard.contract.PagesContract;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.process.CallRecords;
import dev.switchboard.ruling.Tallies;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Grant;
import dev.switchboard.state.Grants;
import dev.switchboard.state.Selection;
import dev.switchboard.text.MemoryOwner;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What goes with a principal: conversations, requests, inputs, grants, memory, call records.
class ForgottenPrincipalTest {
  private static final String CALLER = "tel:+4930123456";
  private static final String OTHER = "tel:+4930654321";

  @TempDir private Path folder;

  private static Stream<String> urls() {
    return Stream.of("sqlite:store.db", PostgresServer.newPlace());
  }

  @ParameterizedTest
  @MethodSource("urls")
  void takesAllThatIsTheirsWithIt(String url) throws IOException, SQLException {
    Path log = folder.resolve("calls");
    try (Storage storage = Storage.shared(url, folder)) {
      ConversationStore store = storage.conversations("desk");
      for (String principal : List.of(CALLER, OTHER)) {
        fill(storage, store, principal, log);
      }
      AgentState grants =
          new AgentState(
              Tallies.NONE, new Grants(List.of(grant(CALLER), grant(OTHER), grant(null))));
      assertThat(store.agent().replace(store.agent().load(), grants)).isTrue();

      StoredConversations stored =
          new StoredConversations("desk", store, storage.memory(), Time.SYSTEM)
              .withCallRecords(List.of(log));
      assertThat(stored.forget(CALLER)).isEqualTo(new StoredConversations.Forgotten(3, 3));

      assertThat(counts(storage, store, CALLER, log)).containsExactly(0L, 0L, 0L, 0L, 0L, 0L);
      assertThat(counts(storage, store, OTHER, log)).containsExactly(3L, 1L, 1L, 1L, 1L, 1L);
      assertThat(store.agent().load().value().grants().all())
          .extracting(Grant::principal)
          .containsExactly(OTHER, null);
      assertThat(owners(url))
          .contains(MemoryOwner.of("desk", OTHER))
          .doesNotContain(MemoryOwner.of("desk", CALLER));
    }
  }

  private List<String> owners(String url) throws SQLException {
    List<String> owners = new ArrayList<>();
    try (Connection connection =
            url.startsWith("sqlite:")
                ? DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("store.db"))
                : PostgresServer.connect(url);
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT agent FROM memory_scope")) {
      while (found.next()) {
        owners.add(found.getString(1));
      }
    }
    return owners;
  }

  private static void fill(Storage storage, ConversationStore store, String principal, Path log)
      throws IOException {
    for (String id : List.of(call(principal), "~agent." + principal)) {
      assertThat(store.directory().create(id, Header.of(principal))).isTrue();
    }
    PagesContract.ask(store, call(principal), Instant.now().plusSeconds(60));
    store.append(call(principal), 0, ConversationWritesContract.line("k", "secret"));
    ConversationStore.Line input = ConversationWritesContract.line("i", "secret");
    assertThat(store.queue().submit("waits" + principal, principal, input)).isTrue();
    storage.memory().insertAll(List.of(entry(MemoryOwner.of("desk", principal))));
    Path record = new CallRecords(log).folder(call(principal), Instant.now());
    Files.createDirectories(record);
    for (String file : List.of("call.json", "events.jsonl", "transcript.md")) {
      Files.writeString(record.resolve(file), "{}");
    }
  }

  private static List<Long> counts(
      Storage storage, ConversationStore store, String principal, Path log) throws IOException {
    Selection all = new Selection(principal, null, 100);
    Path record = new CallRecords(log).folder(call(principal), Instant.now());
    return List.of(
        (long) store.directory().conversations(all).size(),
        (long) store.directory().waiting(all).size(),
        (long) store.lines(call(principal), 9).size(),
        (long) store.queue().inputs("waits" + principal).size(),
        storage
            .memory()
            .search(MemoryQuery.of(MemoryOwner.of("desk", principal), "fish", Entry.ARCHIVAL))
            .total(),
        Files.exists(record) ? 1L : 0L);
  }

  private static Entry entry(String owner) {
    return new Entry(
        owner, Entry.ARCHIVAL, "1", "diet", "user", "eats fish", List.of(), Instant.now());
  }

  private static String call(String principal) {
    return "CA" + principal.hashCode();
  }

  private static Grant grant(@Nullable String principal) {
    Instant until = Instant.now().plus(Duration.ofHours(1));
    return new Grant("pay", Json.EMPTY_OBJECT, until, "digest", null, principal, Instant.now());
  }
}
