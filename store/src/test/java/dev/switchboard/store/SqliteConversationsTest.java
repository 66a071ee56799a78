package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.contract.ConversationStoreContract;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteConversationsTest implements ConversationStoreContract {
  @TempDir private Path folder;
  private final List<ConversationStore> opened = new ArrayList<>();

  @Override
  public ConversationStore open() {
    return open("agent");
  }

  private ConversationStore open(String agent) {
    ConversationStore store = Storage.sqlite(folder.resolve("store.db"), agent);
    opened.add(store);
    return store;
  }

  @AfterEach
  void close() {
    opened.forEach(ConversationStore::close);
  }

  @Test
  void agentsShareAFileAndNothingInIt() {
    ConversationStore one = open("one");
    one.state("c").replace(one.state("c").load(), ConversationStoreContract.turn(1));
    one.settled("c", 0, 0, ConversationStoreContract.settled("1"));

    assertThat(open("other").state("c").load().number()).isZero();
    assertThat(open("other").settledCall("c", "1")).isNull();
    assertThat(open("one").settledCall("c", "1")).isNotNull();
  }

  @Test
  void whatWasKeptIsThereAfterClosing() {
    ConversationStore store = Storage.sqlite(folder.resolve("store.db"), "agent");
    store.settled("c", 0, 0, ConversationStoreContract.settled("1"));
    store.close();

    assertThat(open().settledCall("c", "1")).isEqualTo(ConversationStoreContract.settled("1"));
  }

  @Test
  void goesOnBehindLinesWhoseConversationIsMissing() throws SQLException {
    ConversationStore store = open();
    store.settled("c", 0, 0, ConversationStoreContract.settled("1"));
    execute("DELETE FROM conversation");

    store.settled("c", 0, 0, ConversationStoreContract.settled("2"));

    assertThat(store.settledCalls("c", 0))
        .containsExactly(
            ConversationStoreContract.settled("1"), ConversationStoreContract.settled("2"));
  }

  @Test
  void aBackupIsMadeByTheDatabaseAndNoCopyOfItsFileAlone() throws Exception {
    open().settled("c", 0, 0, ConversationStoreContract.settled("1"));
    Path copy = Files.copy(file(), folder.resolve("copy.db"));
    Path backup = folder.resolve("backup.db");
    execute("VACUUM INTO '" + backup + "'");

    try (ConversationStore copied = Storage.sqlite(copy, "agent");
        ConversationStore backedUp = Storage.sqlite(backup, "agent")) {
      assertThat(copied.settledCall("c", "1")).isNull();
      assertThat(backedUp.settledCall("c", "1")).isEqualTo(ConversationStoreContract.settled("1"));
    }
  }

  @Test
  void aFileOfANewerVersionIsRefused() throws SQLException {
    open();
    execute("PRAGMA user_version = 99");

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessage("The store %s was written by a newer version of this program.", file());
  }

  @Test
  void aFileThatIsNotAStoreIsOneSentence() throws Exception {
    Files.writeString(file(), "something else, and long enough to be no header".repeat(20));

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("The store " + file() + " cannot be opened: ");
    assertThatThrownBy(() -> Storage.sqlite(folder.resolve("no/such/store.db"), "agent"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be opened");
  }

  @Test
  void aStateThatCannotBeReadTellsNothingOfWhatIsInIt() throws SQLException {
    open().state("c").replace(open().state("c").load(), ConversationStoreContract.turn(1));

    execute("UPDATE conversation SET state = '{\"v\":4,\"turn\":\"secret\"}'");
    assertThatThrownBy(() -> open().state("c").load())
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "The store %s: the state of a conversation is of version 4, and only version 3 can be"
                + " read.",
            file());
    execute("UPDATE conversation SET state = '{\"v\":3,\"rules\":\"secret'");
    assertThatThrownBy(() -> open().state("c").load())
        .hasMessage("The store %s: the state of a conversation is damaged.", file())
        .hasNoCause();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Path file() {
    return folder.resolve("store.db");
  }
}
