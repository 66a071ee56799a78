package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Rules about what is next, for hosts that hand in calls themselves.
class DoorStepsTest {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final ToolSession session = ToolSession.of("c");

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .repeatLimit(0)
        .handler(arguments -> {
          ran.add(name);
          return "done";
        });
  }

  private ToolExecutor executor(ToolRule... rules) {
    Tool outer =
        Tool.dynamic("outer")
            .handler((arguments, context) -> context.tools().call("c", Json.EMPTY_OBJECT).text());
    return ToolExecutor.builder()
        .tools(tool("a"), tool("b"), tool("c"), outer)
        .rules(rules)
        .build();
  }

  private static ToolCall call(String tool) {
    return ToolCall.of(tool, "{}");
  }

  @Test
  void takesACallThatStandsAloneAsAStep() {
    ToolExecutor executor = executor(ToolRule.next("a", "b"));
    List<ToolResult> results =
        List.of("a", "c", "b", "c").stream()
            .map(name -> executor.execute(call(name), session))
            .toList();

    assertThat(results).extracting(ToolResult::success).containsExactly(true, false, true, true);
    assertThat(results.get(1).violation()).isEqualTo("NOT_ALLOWED_NEXT");
    assertThat(results.get(1).nextAction()).isEqualTo("after a you must use b");
  }

  @Test
  void takesTheCallsOfARoundAsAStep() {
    ToolExecutor executor = executor(ToolRule.onlyAfter("a", "b"));

    assertThat(executor.executeAll(List.of(call("a"), call("b"), call("c")), session))
        .extracting(ToolResult::success)
        .containsExactly(true, false, true);
    assertThat(executor.executeAll(List.of(call("b"), call("c")), session))
        .extracting(ToolResult::success)
        .containsExactly(true, false);
  }

  @Test
  void endsAStepWhenTheLastOfItsCallsIsAnswered() {
    ToolExecutor executor = executor(ToolRule.next("a", "b"), ToolRule.consent("c"));
    List<CallStep> steps = executor.submitAll(List.of(call("a"), call("c")), session);
    ConsentRequest request = ((CallStep.Pending) steps.get(1)).request();

    assertThat(session.state().rules().following()).isNull();
    Optional<ToolResult> result = executor.answer(request.id(), Answer.approveOnce(), session);
    assertThat(result).hasValueSatisfying(one -> assertThat(one.success()).isTrue());
    assertThat(executor.execute(call("a"), session).success()).isFalse();
    assertThat(executor.execute(call("b"), session).success()).isTrue();
  }

  @Test
  void leavesCallsThatAToolMakesOutOfIt() {
    ToolExecutor executor = executor(ToolRule.next("a", "outer"), ToolRule.next("c", "b"));

    assertThat(executor.execute(call("a"), session).success()).isTrue();
    assertThat(executor.execute(call("outer"), session).text()).isEqualTo("done");
    assertThat(executor.execute(call("a"), session).success()).isTrue();
    assertThat(ran).containsExactly("a", "c", "a");
  }

  @Test
  void givesTheResultOfACallThatIsSentAgain() {
    RuleType child = new RuleType.Child(Set.of("b"), Map.of("b", Json.text("{\"n\":1}")));
    ToolExecutor executor = executor(ToolRule.of("a", child));
    ToolCall again = new ToolCall("7", "b", Json.text("{\"n\":2}"));

    assertThat(executor.execute(call("a"), session).success()).isTrue();
    assertThat(executor.execute(again, session).success()).isTrue();
    assertThat(executor.execute(again, session).success()).isTrue();
    assertThat(ran).containsExactly("a", "b");
  }

  @Test
  void findsTheFaultsOfArgumentsBesideThoseThatAreSet() {
    RuleType child = new RuleType.Child(Set.of("b"), Map.of("b", Json.text("{\"n\":1}")));
    ToolExecutor executor = executor(ToolRule.of("a", child));
    ToolResult first = executor.execute(call("a"), session);
    ToolResult broken = executor.execute(new ToolCall("7", "b", Json.text("{\"n\":2,")), session);
    ToolResult twice =
        executor.execute(new ToolCall("8", "b", Json.text("{\"n\":2,\"n\":3}")), session);
    ToolResult empty = executor.execute(new ToolCall("9", "b", Json.text("")), session);

    assertThat(List.of(first, broken, twice, empty))
        .extracting(ToolResult::success)
        .containsExactly(true, false, false, true);
  }
}
