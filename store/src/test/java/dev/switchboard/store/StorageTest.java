package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageTest {
  @TempDir private Path folder;

  @Test
  void aRelativePathBeginsInTheFolder() {
    try (ConversationStore store = Storage.open("sqlite:agent.db", folder, "agent")) {
      assertThat(store.directory().waiting()).isEmpty();
    }
    assertThat(Files.exists(folder.resolve("agent.db"))).isTrue();
  }

  @Test
  void anAbsolutePathStaysWhereItIs() {
    String url = "sqlite:" + folder.resolve("other.db");
    try (ConversationStore store = Storage.open(url, Path.of("elsewhere"), "agent")) {
      assertThat(store.directory().waiting()).isEmpty();
    }
    assertThat(Files.exists(folder.resolve("other.db"))).isTrue();
  }

  @Test
  void isReservedForOneServerAtATime() {
    isReservedForOne("sqlite:agent.db");
  }

  @Test
  void isReservedForOneServerAtATimeInPostgresqlToo() {
    isReservedForOne(PostgresServer.newPlace());
  }

  private void isReservedForOne(String url) {
    try (Storage one = Storage.open(url, folder);
        Storage other = Storage.open(url, folder)) {
      try (Storage.Reservation first = one.reserve("process 7")) {
        assertThat(first).isNotNull();
        assertThatThrownBy(() -> other.reserve("process 8"))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("has a server already: process 7.");
        assertThat(other.conversations("a").directory().conversations()).isEmpty();
      }
      try (Storage.Reservation second = other.reserve("process 8")) {
        assertThat(second).isNotNull();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"agent.db", "mysql:x", "sqlite:", "sqlite: ", "sqlite::memory:", "sqlite:a?b=c"})
  void otherUrlsAreFaults(String url) {
    assertThat(Storage.fault(url))
        .isEqualTo(
            "must be \"sqlite:\" and a file, such as \"sqlite:agent.db\", not '" + url + "'");
    assertThat(Storage.fault("sqlite:agent.db")).isNull();
  }

  @Test
  void aFileHasOneServerByWhicheverNameItIsOpened() throws IOException {
    Path there = Files.createDirectory(folder.resolve("there"));
    try (Storage one = Storage.open("sqlite:a.db", there);
        Storage.Reservation first = one.reserve("process 7")) {
      assertThat(first).isNotNull();
      Path linked = Files.createSymbolicLink(folder.resolve("linked"), there);
      Path link = Files.createSymbolicLink(folder.resolve("b.db"), there.resolve("a.db"));
      for (String url : List.of("sqlite:" + linked.resolve("a.db"), "sqlite:" + link)) {
        try (Storage other = Storage.open(url, folder)) {
          assertThatThrownBy(() -> other.reserve("process 8")).hasMessageContaining("process 7");
        }
      }
    }
  }

  @Test
  void aFileKeepsItsServerWhereTheFileBesideItIsDeleted() throws IOException {
    try (Storage one = Storage.open("sqlite:a.db", folder);
        Storage other = Storage.open("sqlite:a.db", folder)) {
      try (Storage.Reservation first = one.reserve("process 7")) {
        assertThat(first).isNotNull();
        for (int i = 0; i < 2; i++) {
          Files.deleteIfExists(folder.resolve("a.db.server"));
          assertThatThrownBy(() -> other.reserve("process 8")).hasMessageContaining("process 7");
        }
      }
      try (Storage.Reservation second = other.reserve("process 8")) {
        assertThat(second).isNotNull();
      }
    }
  }
}
