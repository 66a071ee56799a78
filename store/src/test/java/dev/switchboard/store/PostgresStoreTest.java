package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.contract.ConversationStoreContract;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import dev.switchboard.json.Json;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.LoopState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class PostgresStoreTest implements ConversationStoreContract {
  private final String place = PostgresServer.newPlace();
  private final List<ConversationStore> opened = new ArrayList<>();

  @Override
  public ConversationStore open() {
    ConversationStore store = Storage.open(place, Path.of(""), "agent");
    opened.add(store);
    return store;
  }

  @AfterEach
  void close() {
    opened.forEach(ConversationStore::close);
  }

  @Test
  void tablesOfANewerVersionAreRefused() {
    open();
    PostgresServer.execute(
        "UPDATE " + place.replaceAll(".*=", "") + ".switchboard_version SET version = 99");

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageEndingWith("was written by a newer version of this program.");
  }

  @Test
  void tablesOfTheVersionBeforeAreBroughtOver() throws SQLException {
    open();
    List<String> before =
        List.of(
            "DROP TABLE input",
            "DROP TABLE event",
            "DROP TABLE line",
            "DROP TABLE conversation",
            "CREATE TABLE conversation (agent TEXT NOT NULL, id TEXT NOT NULL, version BIGINT NOT"
                + " NULL, state TEXT NOT NULL, due BIGINT, PRIMARY KEY (agent, id))",
            "CREATE INDEX conversation_due ON conversation (agent, due) WHERE due IS NOT NULL",
            "CREATE TABLE settled_call (number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                + " agent TEXT NOT NULL, conversation TEXT NOT NULL, call_id TEXT NOT NULL, turn"
                + " INTEGER NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL, result TEXT NOT"
                + " NULL, at BIGINT, UNIQUE (agent, conversation, call_id))",
            "CREATE TABLE loop (agent TEXT NOT NULL, conversation TEXT NOT NULL, version BIGINT NOT"
                + " NULL, state TEXT NOT NULL, PRIMARY KEY (agent, conversation))",
            "CREATE TABLE line (number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, agent TEXT"
                + " NOT NULL, conversation TEXT NOT NULL, key TEXT NOT NULL, entry TEXT NOT NULL,"
                + " at BIGINT, UNIQUE (agent, conversation, key))",
            "CREATE INDEX line_number ON line (agent, conversation, number)",
            // As texts with the character zero are written there.
            "INSERT INTO settled_call (agent, conversation, call_id, turn, tool, arguments, result)"
                + " VALUES ('agent', 'c', 'e\"1', 2, 'pay', 'no '||chr(57344)||'0"
                + " '||chr(57344)||'e', '{\"success\":true,\"text\":\"paid\"}')",
            "INSERT INTO line (agent, conversation, key, entry) VALUES ('agent', 'c', 'k',"
                + " '\"x\"')",
            "INSERT INTO loop VALUES ('agent', 'c', 4,"
                + " '{\"v\":1,\"turn\":2,\"round\":1,\"waiting\":true,\"inputs\":[\"i\"]}')",
            "UPDATE switchboard_version SET version = 3");
    try (Connection connection = PostgresServer.connect(place);
        Statement statement = connection.createStatement()) {
      for (String command : before) {
        statement.execute(command);
      }
    }

    ConversationStore store = open();
    assertThat(store.settledCalls("c", 2))
        .extracting(one -> one.call().id() + one.call().arguments() + one.result().text())
        .containsExactly("e\"1no \u0000 \uE000paid");
    assertThat(store.lines("c", 9)).extracting(ConversationStore.Line::key).containsExactly("k");
    ConversationState state = store.state("c").load().value();
    assertThat(state.turn()).isEqualTo(2);
    assertThat(state.loop()).isEqualTo(new LoopState(2, 1, true, List.of("i"), null));
    assertThat(store.append("c", 0, new ConversationStore.Line("k2", Json.of("y")))).isTrue();
    assertThat(store.directory().conversations()).hasSize(1);
  }

  @Test
  void reportsUnreachableServerWithoutPassword() {
    String closed = "postgresql://me:secret@localhost:1/x";
    assertThatThrownBy(() -> Storage.open(closed, Path.of(""), "agent"))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("The store localhost:1/x cannot be opened: ")
        .hasMessageNotContaining("secret");
  }

  @Test
  void aUrlThatNamesNoDatabaseIsAFaultThatDoesNotRepeatIt() {
    for (String url :
        List.of(
            "postgresql://",
            "postgresql://me:secret@",
            "postgresql://h",
            "postgresql://h/",
            "postgresql://me:se cret@h/x")) {
      assertThat(Storage.fault(url))
          .isEqualTo(
              "must name a host and a database, such as"
                  + " \"postgresql://user:password@host:5432/name\"");
    }
    assertThat(Storage.fault("postgresql://h/x")).isNull();
  }

  @Test
  void aUrlOfAnotherDatabaseIsAFaultThatNamesThoseThereAre() {
    for (String url : List.of("postgres://me:secret@h/x", "mysql://h/x")) {
      assertThat(Storage.fault(url))
          .isEqualTo(
              "must be \"sqlite:\" and a file, such as \"sqlite:agent.db\", or PostgreSQL's, such"
                  + " as \"postgresql://user:password@host:5432/name\"");
    }
  }
}
