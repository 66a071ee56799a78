package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Where each call is a turn of its own, what holds in a turn holds for one call.
class TurnOfEachCallTest extends ManualCalls {
  private int ids;

  @BeforeEach
  void makeCallsTurns() {
    session.makeCallsTurns();
  }

  private static Tool tool(String name) {
    return Tool.dynamic(name).mode(ToolMode.READ).handler(arguments -> name);
  }

  private ToolExecutor ruled(List<Tool> tools, ToolRule... rules) {
    return ToolExecutor.builder().tools(tools).rules(rules).time(time).build();
  }

  private ToolResult call(ToolExecutor executor, String tool) {
    ids++;
    return executor.execute(ToolCall.of("i" + ids, tool, "{}"), session);
  }

  private List<String> offered(ToolExecutor executor) {
    return executor.rules(session).offer().tools().stream().map(ToolDefinition::name).toList();
  }

  @Test
  void aLimitOfATurnIsFreshForEachCall() {
    ToolExecutor executor =
        ruled(List.of(tool("a")), ToolRule.maxCalls("a", 1).scope(ToolRule.Scope.TURN));

    for (int i = 0; i < 5; i++) {
      assertThat(call(executor, "a").success()).isTrue();
      assertThat(offered(executor)).containsExactly("a");
    }
  }

  @Test
  void aLimitOfTheConversationHolds() {
    ToolExecutor executor = ruled(List.of(tool("a")), ToolRule.maxCalls("a", 1));

    assertThat(call(executor, "a").success()).isTrue();
    assertThat(call(executor, "a").code()).isEqualTo(ResultCode.RULE_VIOLATION);
    assertThat(offered(executor)).isEmpty();
  }

  @Test
  void aLimitOfATurnHoldsForTheCallsOfATool() {
    Tool outer =
        Tool.dynamic("outer")
            .mode(ToolMode.READ)
            .handler((arguments, context) ->
                IntStream.range(0, 3)
                    .filter(i -> context.tools().call("a", Json.EMPTY_OBJECT).success())
                    .count());
    ToolExecutor executor =
        ruled(List.of(tool("a"), outer), ToolRule.maxCalls("a", 2).scope(ToolRule.Scope.TURN));

    assertThat(call(executor, "outer").text()).isEqualTo("2");
    assertThat(call(executor, "outer").text()).isEqualTo("2");
    assertThat(call(executor, "a").success()).isTrue();
  }

  @Test
  void callsThatOverlapAreTurnsOfTheirOwn() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Tool slow =
        Tool.dynamic("slow")
            .mode(ToolMode.READ)
            .handler(arguments -> {
              begun.countDown();
              go.await();
              return "done";
            });
    ToolExecutor executor =
        ruled(
            List.of(slow, tool("a")),
            ToolRule.maxCalls("slow", 1).scope(ToolRule.Scope.TURN),
            ToolRule.maxCalls("a", 1).scope(ToolRule.Scope.TURN));
    Thread first = Thread.startVirtualThread(() -> call(executor, "slow"));
    begun.await();

    assertThat(call(executor, "a").success()).isTrue();
    assertThat(call(executor, "a").success()).isTrue();
    go.countDown();
    assertThat(call(executor, "slow").success()).isTrue();
    first.join();
    assertThat(session.state().running()).isEmpty();
  }

  @Test
  void aToolThatEndsTheLoopEndsNoOtherCall() {
    ToolExecutor executor = ruled(List.of(tool("bye"), tool("a")), ToolRule.exitAfter("bye"));

    assertThat(call(executor, "bye").success()).isTrue();
    assertThat(call(executor, "a").success()).isTrue();
    assertThat(call(executor, "bye").success()).isTrue();
  }

  @Test
  void whatMustFollowInTheTurnBindsNoLaterCall() {
    ToolExecutor executor =
        ruled(List.of(tool("a"), tool("b"), tool("c")), ToolRule.next("a", "b"));

    assertThat(call(executor, "a").success()).isTrue();
    assertThat(offered(executor)).containsExactly("a", "b", "c");
    assertThat(call(executor, "c").success()).isTrue();
  }

  @Test
  void whatMustPrecedeInTheTurnNeverDoes() {
    ToolExecutor executor =
        ruled(
            List.of(tool("a"), tool("b"), tool("c")),
            ToolRule.after("b", "a").scope(ToolRule.Scope.TURN),
            ToolRule.onlyAfter("a", "c"));

    assertThat(call(executor, "a").success()).isTrue();
    assertThat(call(executor, "b").code()).isEqualTo(ResultCode.RULE_VIOLATION);
    assertThat(call(executor, "a").success()).isTrue();
    assertThat(call(executor, "c").code()).isEqualTo(ResultCode.RULE_VIOLATION);
  }

  @Test
  void repeatsNone() {
    ToolExecutor executor = executor(tool("a"));

    for (int i = 0; i < 8; i++) {
      assertThat(call(executor, "a").success()).isTrue();
    }
    assertThat(session.state().turn()).isEqualTo(8);
  }

  @Test
  void goesOnAfterARestart() {
    KeptConversations store = new KeptConversations();
    ToolExecutor executor =
        ruled(List.of(tool("a")), ToolRule.maxCalls("a", 1).scope(ToolRule.Scope.TURN));
    for (int i = 0; i < 5; i++) {
      try (ToolSession again = ToolSession.builder("c").store(store).build()) {
        again.makeCallsTurns();
        assertThat(executor.execute(ToolCall.of("i" + i, "a", "{}"), again).success()).isTrue();
      }
    }
  }
}
