package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Claim;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.CallOfTurn;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.Outcome;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.json.Json;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a worker knows of a conversation that it has claimed, and what it has to look up.
class ClaimedStoreTest {
  private @TempDir Path folder;
  private Storage storage;
  private ConversationStore store;
  private Claim claim;
  private ClaimedStore claimed;

  @BeforeEach
  void claim() {
    storage = Storage.shared("sqlite:claimed.db", folder);
    store = storage.conversations("agent");
    ConversationQueue queue = Objects.requireNonNull(store.queue());
    assertThat(store.append("c", 0, new Line("before", Json.EMPTY_OBJECT))).isTrue();
    assertThat(queue.submit("c", "local", InputJson.line(new Input.Said("said", "Hello."))))
        .isTrue();
    claim = queue.claim(Duration.ofMinutes(1), 1, 0).getFirst();
    claimed = new ClaimedStore(claim, store, queue);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private static SettledCall call(String id) {
    return new SettledCall(ToolCall.of(id, "look_up", "{}"), ToolResult.ok("found"));
  }

  @Test
  void itBeginsWithWhatWasClaimed() {
    assertThat(claimed.state("c").load()).isEqualTo(store.state("c").load());
    assertThat(claimed.state("c").load()).isEqualTo(claim.state());
    assertThat(claimed.inputs()).extracting(Line::key).containsExactly("said");
    assertThat(claimed.lines("c", Transcript.MOST_LINES))
        .extracting(Line::key)
        .containsExactly("before");
    assertThat(claimed.settledCalls("c", 0)).isEmpty();
  }

  @Test
  void anAnswerThatWasKeptMeanwhileIsNotOverwritten() {
    Cell<ConversationState> elsewhere = store.state("c");
    Cell.Version<ConversationState> known = elsewhere.load();
    assertThat(elsewhere.replace(known, known.value().turn(7))).isTrue();

    Cell<ConversationState> here = claimed.state("c");
    Cell.Version<ConversationState> old = here.load();
    assertThat(here.replace(old, old.value().turn(1))).isFalse();
    assertThat(here.load().value().turn()).isEqualTo(7);
    Cell.Version<ConversationState> latest = here.load();
    assertThat(here.replace(latest, latest.value().turn(8))).isTrue();
  }

  @Test
  void aCallThatTheStoreDidNotHaveIsThereOnceItIsWritten() {
    assertThat(claimed.settledCall("c", "1")).isNull();
    assertThat(claimed.settledCall("c", "1")).isNull();
    List<CallOfTurn> calls = List.of(new CallOfTurn(1, call("1")));
    Writing writing = new Writing(null, List.of(), calls, List.of());

    assertThat(claimed.write("c", claim.fence(), writing).outcome()).isEqualTo(Outcome.DONE);

    assertThat(claimed.settledCall("c", "1")).isEqualTo(call("1"));
    assertThat(claimed.settledCalls("c", 1)).containsExactly(call("1"));
  }

  @Test
  void callsOfTheTurnThatWasCutOffAreKnown() {
    ConversationQueue queue = Objects.requireNonNull(store.queue());
    store.settled("c", claim.fence(), 0, call("1"));
    ClaimedStore next = new ClaimedStore(claim, store, queue);

    assertThat(next.settledCalls("c", 0)).containsExactly(call("1"));
    assertThat(next.settledCall("c", "1")).isEqualTo(call("1"));
  }

  @Test
  void anotherConversationIsReadInTheStore() {
    assertThat(store.append("other", 0, new Line("line", Json.EMPTY_OBJECT))).isTrue();

    assertThat(claimed.lines("other", Transcript.MOST_LINES)).hasSize(1);
    assertThat(claimed.state("other").load().value()).isEqualTo(ConversationState.NEW);
    assertThat(claimed.settledCall("other", "1")).isNull();
  }
}
