package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ConversationStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresStoreTest implements ConversationStoreContract {
  private final String place = PostgresServer.newPlace();
  private final List<ConversationStore> opened = new ArrayList<>();

  @Override
  public ConversationStore open() {
    ConversationStore store = Stores.open(place, Path.of(""), "agent");
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
  void aServerThatDoesNotAnswerIsOneSentenceWithoutThePassword() {
    String closed = "postgresql://me:secret@localhost:1/x";
    assertThatThrownBy(() -> Stores.open(closed, Path.of(""), "agent"))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("The store localhost:1/x cannot be opened: ")
        .hasMessageNotContaining("secret");
  }

  @Test
  void aUrlThatNamesNoDatabaseIsAFaultThatDoesNotRepeatIt() {
    for (String url :
        List.of(
            "postgres://me:secret@h/x",
            "postgresql://",
            "postgresql://me:secret@",
            "postgresql://h",
            "postgresql://h/",
            "postgresql://me:se cret@h/x")) {
      assertThat(Stores.fault(url))
          .isEqualTo(
              "must name a host and a database, such as"
                  + " \"postgresql://user:password@host:5432/name\"");
    }
    assertThat(Stores.fault("postgresql://h/x")).isNull();
  }
}
