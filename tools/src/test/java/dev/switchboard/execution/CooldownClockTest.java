package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Cooldowns and requests beside stores that are slow and clocks that were wrong.
class CooldownClockTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private int ids;

  private ToolExecutor executor(ManualTime time, ConversationStore store, Duration cooldown) {
    return ToolExecutor.builder()
        .tools(Tool.dynamic("get_x").inline().handler(arguments -> "ran"))
        .rules(ToolRule.cooldown("get_x", cooldown))
        .store(store)
        .time(time)
        .build();
  }

  private ToolResult call(ToolExecutor executor, ConversationStore store) {
    ids++;
    ToolSession session = ToolSession.builder("c" + ids).store(store).build();
    return executor.execute(ToolCall.of("i" + ids, "get_x", "{}"), session);
  }

  @Test
  void countsFromTheStartHoweverLongItTookToKeepIt() {
    ManualTime time = new ManualTime(NOON);
    List<String> writes = new ArrayList<>();
    KeptConversations slow =
        new KeptConversations() {
          @Override
          void before(String operation) {
            if (operation.equals("replace") && writes.isEmpty()) {
              writes.add(operation);
              time.advance(Duration.ofSeconds(3));
            }
          }
        };
    ToolExecutor executor = executor(time, slow, Duration.ofSeconds(2));
    assertThat(call(executor, slow).success()).isTrue();
    assertThat(call(executor, slow).error()).endsWith("cooling down, retry in 2000 ms");
    time.advance(Duration.ofSeconds(2));
    assertThat(call(executor, slow).success()).isTrue();
  }

  @Test
  void givesWayToAStartThatCameInBetweenWhileItWaited() {
    ManualTime time = new ManualTime(NOON);
    List<ToolResult> others = new ArrayList<>();
    KeptConversations slow =
        new KeptConversations() {
          private int writes;

          @Override
          void after(String operation) {
            if (operation.equals("replace") && ++writes == 1) {
              time.advance(Duration.ofSeconds(3));
              others.add(call(executor(time, this, Duration.ofSeconds(2)), this));
            }
          }
        };
    ToolResult first = call(executor(time, slow, Duration.ofSeconds(2)), slow);
    assertThat(others).singleElement().extracting(ToolResult::success).isEqualTo(true);
    assertThat(first.error()).endsWith("cooling down, retry in 2000 ms");
  }

  @Test
  void isNotStuckAfterAClockThatRanAhead() {
    KeptConversations store = new KeptConversations();
    ManualTime ahead = new ManualTime(NOON.plus(Duration.ofHours(1)));
    assertThat(call(executor(ahead, store, Duration.ofSeconds(30)), store).success()).isTrue();

    ManualTime right = new ManualTime(NOON);
    ToolExecutor executor = executor(right, store, Duration.ofSeconds(30));
    assertThat(call(executor, store).error()).endsWith("cooling down, retry in 30000 ms");
    right.advance(Duration.ofSeconds(10));
    assertThat(call(executor, store).error()).endsWith("cooling down, retry in 20000 ms");
    ToolExecutor later = executor(new ManualTime(right.now()), store, Duration.ofSeconds(30));
    assertThat(call(later, store).error()).endsWith("cooling down, retry in 20000 ms");
    right.advance(Duration.ofSeconds(20));
    assertThat(call(executor, store).success()).isTrue();
  }

  @Test
  void offersAToolAgainAfterAClockThatRanAhead() {
    KeptConversations store = new KeptConversations();
    ManualTime ahead = new ManualTime(NOON.plus(Duration.ofHours(1)));
    call(executor(ahead, store, Duration.ofSeconds(30)), store);

    ManualTime right = new ManualTime(NOON);
    ToolExecutor executor = executor(right, store, Duration.ofSeconds(30));
    ToolSession session = ToolSession.of("offered");
    assertThat(executor.rules(session).offer().tools()).isEmpty();
    right.advance(Duration.ofSeconds(30));
    assertThat(executor.rules(session).offer().tools()).hasSize(1);
  }

  @Test
  void aProcessWhoseClockRunsAheadClosesARequestForGood() {
    KeptConversations store = new KeptConversations();
    ToolExecutor executor = asking(new ManualTime(NOON), store);
    ToolSession session = ToolSession.builder("c").store(store).build();
    executor.submitAll(List.of(ToolCall.of("i", "get_x", "{}")), session);

    ToolSession other = ToolSession.builder("c").store(store).build();
    asking(new ManualTime(NOON.plus(Duration.ofHours(25))), store).expire(other);

    assertThat(store.waiting()).isEmpty();
    assertThat(executor.answer("i", Answer.approveOnce(), session)).isEmpty();
    assertThat(other.result("i"))
        .isNotNull()
        .extracting(ToolResult::code)
        .isEqualTo(ResultCode.CONSENT_TIMEOUT);
  }

  private static ToolExecutor asking(ManualTime time, ConversationStore store) {
    return ToolExecutor.builder()
        .tools(Tool.dynamic("get_x").inline().handler(arguments -> "ran"))
        .rules(ToolRule.consent("get_x"))
        .store(store)
        .time(time)
        .build();
  }
}
