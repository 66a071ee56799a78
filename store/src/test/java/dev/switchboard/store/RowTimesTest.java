package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.json.Json;
import dev.switchboard.testing.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The times of what is stored are those of the store's clock.
class RowTimesTest {
  private static final Instant BEGIN = Instant.parse("2001-01-01T00:00:00Z");

  private final ManualTime time = new ManualTime(BEGIN);

  @TempDir private Path folder;

  private void assertThatItsClockSaysWhen(ConversationStore store) {
    assertThat(store.time().now()).isEqualTo(BEGIN);
    assertThat(store.directory().create("created", Header.NONE)).isTrue();
    assertThat(found(store, "created").started()).isEqualTo(BEGIN);

    time.advance(Duration.ofMinutes(1));
    store.write("written", 0, Writing.of(new Line("turn1/input", Json.text("{}"))));
    assertThat(found(store, "written").started()).isEqualTo(BEGIN.plusSeconds(60));
    assertThat(found(store, "written").last()).isEqualTo(BEGIN.plusSeconds(60));

    assertThat(store.directory().keyed("ada", "key", "first", BEGIN)).isEqualTo("first");
    assertThat(store.directory().keyed("ada", "key", "other", BEGIN)).isEqualTo("first");
    assertThat(store.directory().keyed("ada", "key", "other", BEGIN.plusSeconds(61)))
        .isEqualTo("other");
  }

  private static Summary found(ConversationStore store, String id) {
    Summary summary = store.directory().conversation(id);
    assertThat(summary).isNotNull();
    return summary;
  }

  @Test
  void inTheProcess() {
    assertThatItsClockSaysWhen(new InProcessConversations(time));
  }

  @Test
  void inAFile() {
    try (ConversationStore store = Storage.sqlite(folder.resolve("a.db"), "desk", time)) {
      assertThatItsClockSaysWhen(store);
    }
  }
}
