package dev.switchboard.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.CallOfTurn;
import dev.switchboard.execution.ConversationStore.Outcome;
import dev.switchboard.execution.ConversationStore.Replacement;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.ConversationStore.Written;
import dev.switchboard.json.Json;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.state.LoopState;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How every store writes: under leases, in one order, together or not at all.
public interface ConversationWritesContract {
  Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");

  /// Another opening of the same place, which is empty at first.
  ConversationStore open();

  @Test
  default void whoeverHasLostTheLeaseWritesNothing() {
    ConversationStore store = open();
    Cell<ConversationState> cell = store.state("c");
    assertThat(cell.replace(cell.load(), leased(2))).isTrue();

    assertThat(store.append("c", 2, line("turn1/input", "a"))).isTrue();
    store.settled("c", 2, 0, ConversationStoreContract.settled("1"));
    assertThat(open().append("c", 2, line("turn1/input", "again"))).isFalse();
    for (long lost : new long[] {1, 3}) {
      assertThatThrownBy(() -> open().append("c", lost, line("turn1/end", "b")))
          .isInstanceOf(ConversationConflictException.class);
      assertThatThrownBy(() -> open().append("c", lost, line("turn1/input", "a")))
          .isInstanceOf(ConversationConflictException.class);
      assertThatThrownBy(() -> open().settled("c", lost, 0, ConversationStoreContract.settled("2")))
          .isInstanceOf(ConversationConflictException.class);
      assertThatThrownBy(() -> open().append("nobody", lost, line("turn1/end", "b")))
          .isInstanceOf(ConversationConflictException.class);
    }
    assertThat(open().lines("c", 9)).hasSize(1);
    assertThat(open().settledCall("c", "2")).isNull();
    assertThat(open().append("c", 0, line("by_hand/1", "under no lease"))).isTrue();
  }

  @Test
  default void numbersEventsWithoutGapsAndTellsAKeyOnce() {
    ConversationStore store = open();
    assertThat(store.events("c", 0, 9)).isEmpty();

    assertThat(store.appendEvents("c", 0, List.of(event("a", null), event("b", "call/1"))))
        .containsExactly(event("a", null).numbered(1), event("b", "call/1").numbered(2));
    assertThat(store.append("c", 0, line("turn1/input", "between"))).isTrue();
    assertThat(
            open()
                .appendEvents(
                    "c",
                    0,
                    List.of(
                        event("again", "call/1"),
                        event("c", "call/2"),
                        event("twice", "call/2"),
                        event("d", null))))
        .extracting(Event.Logged::number)
        .containsExactly(3L, 4L);
    assertThat(store.appendEvents("c", 0, List.of(event("again", "call/2")))).isEmpty();
    assertThat(store.appendEvents("other", 0, List.of(event("a", null))).getFirst().number())
        .isOne();

    List<Event.Logged> all = open().events("c", 0, 9);
    assertThat(all).extracting(Event.Logged::number).containsExactly(1L, 2L, 3L, 4L);
    assertThat(all.get(2)).isEqualTo(event("c", "call/2").numbered(3));
    assertThat(open().events("c", 1, 2)).isEqualTo(all.subList(1, 3));
    assertThat(open().event("c", "call/2")).isEqualTo(all.get(2));
    assertThat(open().event("c", "turn1/input")).isNull();
    assertThat(open().event("other", "call/2")).isNull();
    assertThat(open().events("c", 4, 9)).isEmpty();
    assertThat(open().lines("c", 9)).hasSize(1);
    assertThat(open().directory().delete("c")).isTrue();
    assertThat(open().events("c", 0, 9)).isEmpty();
  }

  @Test
  default void numbersEventsAfterThoseOfAnotherProcess() {
    ConversationStore one = open();
    ConversationStore other = open();
    List<Event.Logged> told = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      told.addAll(one.appendEvents("c", 0, List.of(event("a", null), event("b", null))));
      assertThat(one.append("c", 0, line("one" + i, "a"))).isTrue();
      told.addAll(other.appendEvents("c", 0, List.of(event("c", null))));
      assertThat(other.append("c", 0, line("other" + i, "b"))).isTrue();
    }
    assertThat(told)
        .extracting(Event.Logged::number)
        .isEqualTo(LongStream.range(1, 10).boxed().toList());
    assertThat(one.lines("c", 9))
        .extracting(ConversationStore.Line::key)
        .containsExactly("one0", "other0", "one1", "other1", "one2", "other2");

    Cell<ConversationState> cell = one.state("c");
    assertThat(cell.replace(cell.load(), leased(1))).isTrue();
    assertThat(one.appendEvents("c", 1, List.of(event("d", null)))).hasSize(1);
    Cell<ConversationState> taken = other.state("c");
    assertThat(taken.replace(taken.load(), leased(2))).isTrue();
    assertThatThrownBy(() -> one.appendEvents("c", 1, List.of(event("e", null))))
        .isInstanceOf(ConversationConflictException.class);
    assertThat(one.appendEvents("c", 2, List.of(event("e", null))).getFirst().number())
        .isEqualTo(11);

    assertThat(other.directory().delete("c")).isTrue();
    assertThat(one.appendEvents("c", 0, List.of(event("f", null))).getFirst().number()).isOne();
    assertThat(one.directory().delete("c")).isTrue();
    assertThat(one.appendEvents("c", 0, List.of(event("g", null))).getFirst().number()).isOne();
  }

  @Test
  default void whatWasRefusedLeavesNoGap() {
    ConversationStore store = open();
    assertThat(store.appendEvents("c", 0, List.of(event("a", null)))).hasSize(1);
    assertThat(store.append("c", 0, line("turn1/input", "a"))).isTrue();
    for (int i = 0; i < 2; i++) {
      Writing refused =
          new Writing(
              null,
              List.of(line("turn1/new", "b"), line("turn1/input", "again")),
              List.of(),
              List.of(event("b", null)));
      assertThat(store.write("c", 0, refused).outcome()).isEqualTo(Outcome.KNOWN);
    }
    assertThat(store.appendEvents("c", 0, List.of(event("c", null))).getFirst().number())
        .isEqualTo(2);
    assertThat(store.lines("c", 9)).hasSize(1);
  }

  @Test
  default void tellsNoEventsOfALostLease() {
    ConversationStore store = open();
    Cell<ConversationState> cell = store.state("c");
    assertThat(cell.replace(cell.load(), leased(2))).isTrue();

    assertThat(store.appendEvents("c", 2, List.of(event("a", null)))).hasSize(1);
    for (String conversation : List.of("c", "nobody")) {
      assertThatThrownBy(() -> open().appendEvents(conversation, 1, List.of(event("b", null))))
          .isInstanceOf(ConversationConflictException.class);
    }
    assertThat(open().events("c", 0, 9)).hasSize(1);
  }

  @Test
  default void tellsEventsOfSeveralWritersInOneOrder() throws Exception {
    try (ExecutorService writers = Executors.newFixedThreadPool(4)) {
      List<? extends Future<?>> done =
          IntStream.range(0, 4)
              .mapToObj(writer -> {
                ConversationStore own = open();
                return writers.submit(() -> {
                  for (int i = 0; i < 30; i++) {
                    own.appendEvents("c", 0, List.of(event("x", null), event("y", "k" + i)));
                  }
                });
              })
              .toList();
      for (Future<?> one : done) {
        one.get();
      }
    }
    assertThat(open().events("c", 0, 999))
        .extracting(Event.Logged::number)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 150).boxed().toList());
  }

  /// An event to append.
  static Event.Logged event(String text, @Nullable String key) {
    return new Event.Logged(0, key, key == null ? null : "run-1", NOON, Json.of(text));
  }

  @Test
  default void eachLineOfSeveralWritersIsWrittenOnce() throws Exception {
    try (ExecutorService writers = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> written =
          IntStream.range(0, 4)
              .mapToObj(writer -> {
                ConversationStore own = open();
                return writers.submit(() -> written(own, writer % 2));
              })
              .toList();
      int all = 0;
      for (Future<Integer> one : written) {
        all += one.get();
      }
      assertThat(all).isEqualTo(60);
    }
    assertThat(open().lines("c", 99))
        .extracting(ConversationStore.Line::key)
        .hasSize(60)
        .doesNotHaveDuplicates();
    assertThat(open().settledCalls("c", 0)).hasSize(30);
  }

  private static int written(ConversationStore store, int half) {
    int written = 0;
    for (int i = 0; i < 30; i++) {
      written += store.append("c", 0, line("k" + half + "/" + i, "a")) ? 1 : 0;
      store.settled("c", 0, 0, ConversationStoreContract.settled("s" + i));
    }
    return written;
  }

  @Test
  default void aStateComesAfterLinesToo() {
    ConversationStore store = open();
    assertThat(store.append("c", 0, line("turn1/input", "a"))).isTrue();
    Cell<ConversationState> cell = store.state("c");

    assertThat(cell.load()).isEqualTo(new Cell.Version<>(0, ConversationState.NEW));
    assertThat(cell.replace(cell.load(), ConversationStoreContract.turn(7))).isTrue();
    assertThat(
            cell.replace(
                new Cell.Version<>(0, ConversationStoreContract.turn(1)),
                ConversationStoreContract.turn(8)))
        .isFalse();
    assertThat(open().state("c").load())
        .isEqualTo(new Cell.Version<>(1, ConversationStoreContract.turn(7)));
    assertThat(open().append("c", 0, line("turn2/input", "b"))).isTrue();
    assertThat(open().lines("c", 9)).hasSize(2);
  }

  @Test
  default void writesTogetherWhatBelongsTogether() {
    ConversationStore store = open();
    Cell.Version<ConversationState> none = store.state("c").load();
    Writing all =
        new Writing(
            new Replacement(none, leased(2)),
            List.of(line("turn1/input", "a"), line("turn1/end", "b")),
            List.of(new CallOfTurn(1, ConversationStoreContract.settled("1"))),
            List.of(event("a", "call/1"), event("b", null)));
    assertThat(store.write("c", 0, all))
        .isEqualTo(
            new Written(
                Outcome.DONE,
                List.of(event("a", "call/1").numbered(1), event("b", null).numbered(2))));
    assertThat(open().state("c").load()).isEqualTo(new Cell.Version<>(1, leased(2)));
    assertThat(open().lines("c", 9)).hasSize(2);
    assertThat(open().settledCalls("c", 1)).containsExactly(ConversationStoreContract.settled("1"));
    assertThat(open().events("c", 0, 9)).hasSize(2);
  }

  @Test
  default void writesNothingOfWhatCannotBeWrittenWhole() {
    ConversationStore store = open();
    assertThat(store.append("c", 0, line("turn1/input", "a"))).isTrue();
    Cell<ConversationState> cell = store.state("c");
    Cell.Version<ConversationState> stale = cell.load();
    assertThat(cell.replace(stale, leased(2))).isTrue();
    Cell.Version<ConversationState> latest = cell.load();

    assertThat(store.write("c", 0, writing(stale, "turn1/end")).outcome()).isEqualTo(Outcome.STALE);
    assertThat(store.write("c", 2, writing(latest, "turn1/input")).outcome())
        .isEqualTo(Outcome.KNOWN);
    assertThatThrownBy(() -> open().write("c", 1, writing(latest, "turn1/end")))
        .isInstanceOf(ConversationConflictException.class);
    assertThat(open().state("c").load()).isEqualTo(latest);
    assertThat(open().lines("c", 9)).hasSize(1);
    assertThat(open().settledCall("c", "1")).isNull();
    assertThat(open().events("c", 0, 9)).isEmpty();

    assertThat(store.write("c", 2, writing(latest, "turn1/end")).outcome()).isEqualTo(Outcome.DONE);
    assertThat(open().state("c").load().value().turn()).isEqualTo(7);
  }

  /// A state in the place of that one, and with it a line, a call and an event.
  private static Writing writing(Cell.Version<ConversationState> expected, String key) {
    return new Writing(
        new Replacement(expected, leased(2).turn(7)),
        List.of(line("turn1/round1/model", "b"), line(key, "c")),
        List.of(new CallOfTurn(1, ConversationStoreContract.settled("1"))),
        List.of(event("a", "call/1")));
  }

  private static ConversationState leased(long fence) {
    return new ConversationState(
        0,
        LoopState.NEW,
        new Lease(fence, NOON),
        RuleState.NEW,
        null,
        List.of(),
        Set.of(),
        List.of());
  }

  /// A line of that key.
  static ConversationStore.Line line(String key, String text) {
    return new ConversationStore.Line(key, Json.of(text));
  }
}
