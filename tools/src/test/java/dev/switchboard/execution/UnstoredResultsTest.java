package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A result that the store did not take is handed out, told of, and stored once the store answers.
class UnstoredResultsTest {
  private final ManualTime time = new ManualTime();
  private final AtomicInteger ran = new AtomicInteger();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Semaphore stored = new Semaphore(0);
  private volatile boolean away;
  private final KeptConversations store =
      new KeptConversations() {
        @Override
        void before(String operation) {
          if (away && !operation.equals("settledCall")) {
            throw new IllegalStateException("locked");
          }
        }

        @Override
        void after(String operation) {
          stored.release();
        }
      };
  private final ToolExecutor executor =
      ToolExecutor.builder()
          .tools(tool("book"), tool("check"))
          .rules(ToolRule.maxCalls("check", 5))
          .store(store)
          .time(time)
          .build();
  private final ToolSession session = session();

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .mode(ToolMode.EXTERNAL)
        .inline()
        .repeatLimit(0)
        .handler(arguments -> {
          // Of a rule's call the start is stored, and its end is not.
          away = away || name.equals("check");
          return "deed " + ran.incrementAndGet();
        });
  }

  private ToolSession session() {
    return ToolSession.builder("c").store(store).time(time).events(events::add).build();
  }

  private ToolResult book(String id) {
    return executor.execute(ToolCall.of(id, "book", "{}"), session);
  }

  private List<Event.Failed> told() {
    return events.stream()
        .filter(Event.Failed.class::isInstance)
        .map(Event.Failed.class::cast)
        .toList();
  }

  @Test
  void theHostIsToldOfAResultThatIsNotStored() {
    away = true;

    assertThat(book("c1").success()).isTrue();
    assertThat(session.store().unstored()).isEqualTo(1);
    assertThat(told())
        .singleElement()
        .satisfies(event -> assertThat(event.code()).isEqualTo("not_stored"))
        .satisfies(event -> assertThat(event.message()).contains("'c1'").contains("not stored yet"))
        .satisfies(event -> assertThat(event.details()).containsKey("callId"));
  }

  @Test
  void theNextCallStoresItFirst() {
    away = true;
    book("c1");
    away = false;
    book("c2");

    assertThat(session.store().unstored()).isZero();
    assertThat(store.settledCalls("c", 0))
        .extracting(settled -> settled.call().id())
        .containsExactly("c1", "c2");
    assertThat(executor.execute(ToolCall.of("c1", "book", "{}"), session()).text())
        .isEqualTo("deed 1");
  }

  @Test
  void itIsStoredByItselfOnceTheStoreAnswers() {
    away = true;
    book("c1");
    time.advance(Backlog.RETRY);
    away = false;
    stored.drainPermits();
    while (!stored.tryAcquire()) {
      time.advance(Backlog.RETRY);
      Thread.yield();
    }

    assertThat(store.settledCall("c", "c1")).isNotNull();
  }

  @Test
  void theEndOfACallIsStoredLateToo() {
    ToolResult check = executor.execute(ToolCall.of("c1", "check", "{}"), session);
    assertThat(check.success()).isTrue();
    assertThat(session.state().rules().conversation().of("check").succeeded()).isZero();
    away = false;
    book("c2");

    assertThat(session.state().rules().conversation().of("check").succeeded()).isEqualTo(1);
    assertThat(session.refresh().running()).isEmpty();
  }

  @Test
  void noCallRunsWhereTooManyResultsWait() {
    away = true;
    for (int i = 0; i < Backlog.MOST_RESULTS; i++) {
      assertThat(book("c" + i).success()).isTrue();
    }

    ToolResult refused = book("late");
    assertThat(refused.code()).isEqualTo(ResultCode.FAILED);
    assertThat(refused.error())
        .isEqualTo(
            "Tool 'book' was not run: 100 results wait to be stored, and the store does not take"
                + " them.");
    assertThat(book("c5").text()).isEqualTo("deed 6");
    away = false;
    assertThat(book("late").success()).isTrue();
    assertThat(ran).hasValue(Backlog.MOST_RESULTS + 1);
  }

  @Test
  void bigResultsAreFewerBeforeNoCallRuns() {
    String big = "x".repeat((int) Backlog.MOST_CHARACTERS / 2);
    ToolExecutor other =
        ToolExecutor.of(
            Tool.dynamic("big")
                .mode(ToolMode.EXTERNAL)
                .resultLimit(big.length() + 1)
                .handler(arguments -> big));
    away = true;
    for (int i = 0; i < 2; i++) {
      assertThat(other.execute(ToolCall.of("c" + i, "big", "{}"), session).success()).isTrue();
    }

    assertThat(other.execute(ToolCall.of("c3", "big", "{}"), session).error())
        .contains("2 results wait");
  }

  @Test
  void aResultThatWaitsToBeStoredIsNotForgotten() {
    String big = "x".repeat((int) Backlog.MOST_CHARACTERS / 3 - 100);
    ToolExecutor other =
        ToolExecutor.of(
            Tool.dynamic("big")
                .mode(ToolMode.EXTERNAL)
                .resultLimit(big.length() + 10)
                .handler(arguments -> ran.incrementAndGet() + big));
    away = true;
    for (int i = 0; i < 3; i++) {
      assertThat(other.execute(ToolCall.of("c" + i, "big", "{}"), session).success()).isTrue();
    }

    for (int i = 0; i < 3; i++) {
      assertThat(other.execute(ToolCall.of("c" + i, "big", "{}"), session).text())
          .startsWith(i + 1 + "x");
    }
    assertThat(ran).hasValue(3);
  }

  @Test
  void closingStoresWhatWaitsOrSaysThatItIsLost() {
    away = true;
    book("c1");
    book("c2");

    assertThatThrownBy(session::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "2 results of conversation 'c' could not be stored: the store did not take them.")
        .hasCauseInstanceOf(IllegalStateException.class);
    away = false;
    session.close();
    assertThat(store.settledCalls("c", 0)).hasSize(2);
    session.close();
    time.advance(Duration.ofSeconds(2));
  }
}
