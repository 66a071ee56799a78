package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ConversationStore.CallOfTurn;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.json.Json;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JournalTest {
  private static final ConversationLease LEASE =
      new ConversationLease(
          "c", null, new LeaseTerms(null, LeaseTerms.LENGTH, 1, false), Time.SYSTEM, () -> {});

  private final InProcessConversations store = new InProcessConversations();
  private final Journal journal =
      new Journal("c", "local", store, () -> ConversationLease.UNNEEDED);

  private static Line line(String key) {
    return new Line(key, Json.of(key));
  }

  private static Event.Logged event() {
    return new Event.Logged(0, null, null, Instant.EPOCH, Json.EMPTY_OBJECT);
  }

  private List<String> lines() {
    return store.lines("c", 9).stream().map(Line::key).toList();
  }

  @Test
  void writesWhatWasPutAsideWithTheNextEvent() {
    journal.defer(line("a"));
    journal.defer(line("b"));
    assertThat(lines()).isEmpty();

    assertThat(journal.append(List.of(event()))).hasSize(1);
    assertThat(lines()).containsExactly("a", "b");
    assertThat(journal.append(List.of(event()))).hasSize(1);
    assertThat(lines()).hasSize(2);
  }

  @Test
  void writesWhatWasPutAsideWithTheNextState() {
    SettledCall call = new SettledCall(ToolCall.of("1", "a", "{}"), ToolResult.ok("done"));
    journal.defer(new CallOfTurn(1, call));

    assertThat(journal.replace(journal.load(), ConversationState.NEW.turn(1))).isTrue();
    assertThat(store.settledCall("c", "1")).isEqualTo(call);
  }

  @Test
  void keepsWhatItCouldNotWrite() {
    journal.defer(line("a"));
    var seen = journal.load();
    assertThat(store.state("c").replace(seen, ConversationState.NEW.turn(1))).isTrue();

    assertThat(journal.replace(seen, ConversationState.NEW.turn(2))).isFalse();
    assertThat(lines()).isEmpty();
    journal.flush();
    assertThat(lines()).containsExactly("a");
  }

  @Test
  void writesALineWithTheStateThatComesOfIt() {
    journal.write(
        line("a"),
        Set.of(),
        () -> {
          assertThat(journal.replace(journal.load(), ConversationState.NEW.turn(1))).isTrue();
          assertThat(lines()).containsExactly("a");
        });
    journal.write(line("b"), Set.of(), () -> {});
    assertThat(lines()).containsExactly("a", "b");
  }

  @Test
  void forgetsALineWhoseWorkFails() {
    assertThatThrownBy(() ->
            journal.write(
                line("a"),
                Set.of(),
                () -> {
                  throw new IllegalStateException("full");
                }))
        .isInstanceOf(IllegalStateException.class);
    journal.flush();
    assertThat(lines()).isEmpty();
  }

  @Test
  void writesNothingUnderALostLease() {
    Journal lost = new Journal("c", "local", store, () -> LEASE);
    lost.defer(line("a"));
    ConversationState taken = ConversationState.NEW.withLease(new Lease(2, Instant.EPOCH));
    assertThat(store.state("c").replace(lost.load(), taken)).isTrue();

    assertThatThrownBy(lost::flush).isInstanceOf(ConversationConflictException.class);
    assertThatThrownBy(() -> lost.replace(lost.load(), taken.turn(1)))
        .isInstanceOf(ConversationConflictException.class);
    assertThat(lines()).isEmpty();
  }

  @Test
  void aLineWhoseWriteIsStoredAndFailsIsNotAnotherProcesses() {
    AtomicInteger lost = new AtomicInteger(1);
    ConversationStore losing =
        (ConversationStore)
            Proxy.newProxyInstance(
                ConversationStore.class.getClassLoader(),
                new Class<?>[] {ConversationStore.class},
                (proxy, method, arguments) -> {
                  Object done = method.invoke(store, arguments);
                  if (method.getName().equals("write") && lost.getAndDecrement() > 0) {
                    throw new IllegalStateException("the connection was lost");
                  }
                  return done;
                });
    Journal again = new Journal("c", "local", losing, () -> ConversationLease.UNNEEDED);
    Cell.Version<ConversationState> seen = again.load();

    again.write(
        line("a"),
        Set.of(),
        () -> {
          // As a thread does that stores events meanwhile.
          assertThatThrownBy(() -> again.append(List.of(event())))
              .isInstanceOf(IllegalStateException.class);
          again.defer(line("b"));
          assertThat(again.replace(seen, ConversationState.NEW.turn(1))).isTrue();
        });
    assertThat(lines()).containsExactly("a", "b");

    assertThat(store.append("c", 0, line("c"))).isTrue();
    assertThatThrownBy(() -> again.write(line("c"), Set.of(), () -> {}))
        .isInstanceOf(ConversationConflictException.class);
  }

  @Test
  void writesNoLineASecondTime() {
    assertThat(store.append("c", 0, line("a"))).isTrue();

    assertThatThrownBy(() -> journal.write(line("a"), Set.of(), () -> {}))
        .isInstanceOf(ConversationConflictException.class);
  }
}
