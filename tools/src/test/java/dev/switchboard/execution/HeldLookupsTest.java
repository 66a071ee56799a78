package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// When the store is asked for the result of a call: by the process that goes on with the
/// conversation once, unless others may have made it since.
class HeldLookupsTest {
  private static final ToolCall CALL = ToolCall.of("1", "pay", "{}");

  private final AtomicInteger lookups = new AtomicInteger();
  private final AtomicInteger ran = new AtomicInteger();
  private final KeptConversations store =
      new KeptConversations() {
        @Override
        void before(String operation) {
          if (operation.equals("settledCall")) {
            lookups.incrementAndGet();
          }
        }
      };
  private final ToolSession session = ToolSession.builder("c").store(store).build();

  private ToolExecutor executor(ToolRule... rules) {
    Tool pay =
        Tool.dynamic("pay", "{\"type\":\"object\"}")
            .mode(ToolMode.EXTERNAL)
            .handler(arguments -> "paid " + ran.incrementAndGet());
    return ToolExecutor.builder().tools(pay).rules(rules).store(store).build();
  }

  private void hold() {
    session.host().acquire(new SeenLeases());
  }

  @Test
  void asksOnceForACallThatIsNotThere() {
    hold();
    assertThat(session.result("1")).isNull();
    assertThat(session.result("1")).isNull();
    assertThat(executor().execute(CALL, session).text()).isEqualTo("paid 1");
    assertThat(session.result("1")).isNotNull();
    assertThat(lookups).hasValue(1);
  }

  @Test
  void asksEachTimeWhereOthersMayContinueTheConversation() {
    assertThat(session.result("1")).isNull();
    assertThat(session.result("1")).isNull();
    assertThat(lookups).hasValue(2);
  }

  @Test
  void asksAgainOnceItHasLetTheConversationGo() {
    hold();
    assertThat(session.result("1")).isNull();
    session.lease().release();

    store.settled("c", 0, 0, new SettledCall(CALL, ToolResult.ok("elsewhere")));
    assertThat(executor().execute(CALL, session).text()).isEqualTo("elsewhere");
    hold();
    assertThat(session.result("1")).isNotNull();
    assertThat(ran).hasValue(0);
  }

  @Test
  void asksAgainOnceItHasTakenTheConversationAgain() {
    hold();
    assertThat(session.result("1")).isNull();
    session.lease().release();
    store.settled("c", 0, 0, new SettledCall(CALL, ToolResult.ok("elsewhere")));

    hold();
    assertThat(executor().execute(CALL, session).text()).isEqualTo("elsewhere");
    assertThat(ran).hasValue(0);
  }

  @Test
  void asksForACallThatWaitsAndThatAnotherProcessHasSettled() {
    hold();
    ToolExecutor here = executor(ToolRule.consent("pay"));
    assertThat(session.result("1")).isNull();
    here.submitAll(List.of(CALL), session);
    assertThat(session.result("1")).isNull();

    ToolSession elsewhere = ToolSession.builder("c").store(store).build();
    ToolResult answered =
        executor(ToolRule.consent("pay"))
            .answer("1", Answer.approveOnce(), elsewhere)
            .orElseThrow();
    assertThat(answered.text()).isEqualTo("paid 1");
    assertThat(session.result("1")).isEqualTo(answered);
    assertThat(ran).hasValue(1);
  }

  @Test
  void anIdOfAnEarlierTurnThatMemoryHasForgottenIsFound() {
    hold();
    ToolExecutor here = executor();
    assertThat(here.execute(CALL, session).text()).isEqualTo("paid 1");
    session.nextTurn();
    for (int i = 0; i <= CallLog.MAX_CALLS; i++) {
      ToolCall other = ToolCall.of("other" + i, "nothing", "{}");
      assertThat(here.execute(other, session).code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
    }

    int before = lookups.get();
    assertThat(here.execute(CALL, session).text()).isEqualTo("paid 1");
    assertThat(lookups.get() - before).isEqualTo(1);
    assertThat(ran).hasValue(1);
  }
}
