package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file of the version in which events stood among the lines: of a conversation with a call, and
/// of one that has nothing but events.
class OlderEventsTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir private Path folder;
  private Storage storage;
  private ConversationStore store;

  @BeforeEach
  void open() throws IOException {
    InputStream file =
        Objects.requireNonNull(OlderEventsTest.class.getResourceAsStream("/store/version8.db.gz"));
    try (InputStream unpacked = new GZIPInputStream(file)) {
      Files.copy(unpacked, folder.resolve("store.db"));
    }
    storage = Storage.open("sqlite:store.db", folder);
    store = storage.conversations("Booker");
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private static Event.Logged event(
      long number, @Nullable String key, @Nullable String run, String text) {
    return new Event.Logged(number, key, run, AT, Json.of(text));
  }

  @Test
  void eventsKeepTheirNumbersAndKeys() {
    assertThat(store.events("talk", 0, 99))
        .extracting(event -> event.number() + " " + event.key())
        .containsExactly(
            "1 started",
            "2 user/i1",
            "3 turn1/round1/model/words/1",
            "4 called/call_1_1_1",
            "5 settled/call_1_1_1",
            "6 turn1/round2/model/words/1",
            "7 turn1/end/0");
    assertThat(store.events("told", 0, 2))
        .containsExactly(event(1, null, null, "a"), event(2, "call/1", "run-1", "b"));
  }

  @Test
  void eventsAreToldBehindThem() {
    assertThat(
            store.appendEvents(
                "told", 0, List.of(event(0, "call/1", null, "b"), event(0, null, null, "d"))))
        .containsExactly(event(4, null, null, "d"));
  }

  @Test
  void linesAndCallsAreThere() {
    assertThat(store.append("talk", 0, new Line("turn1/input", Json.EMPTY_OBJECT))).isFalse();
    assertThat(store.append("talk", 0, new Line("turn2/input", Json.EMPTY_OBJECT))).isTrue();
    assertThat(store.lines("talk", 99))
        .extracting(Line::key)
        .containsExactly(
            "turn1/input",
            "turn1/round1/model",
            "turn1/round1/end",
            "turn1/round2/model",
            "turn1/round2/end",
            "turn1/end",
            "turn2/input");
    assertThat(store.settledCalls("talk", 1)).hasSize(1);
  }

  @Test
  void conversationsAreListed() {
    assertThat(store.directory().conversations())
        .extracting(one -> one.id() + " " + one.turns() + " " + one.calls() + " " + one.events())
        .containsExactlyInAnyOrder("talk 1 1 7", "told 0 0 3");
    assertThat(Objects.requireNonNull(store.directory().conversation("told")).last()).isEqualTo(AT);
  }
}
