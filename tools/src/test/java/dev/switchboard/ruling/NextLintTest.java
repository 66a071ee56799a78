package dev.switchboard.ruling;

import static dev.switchboard.rule.ToolRule.after;
import static dev.switchboard.rule.ToolRule.every;
import static dev.switchboard.rule.ToolRule.exitAfter;
import static dev.switchboard.rule.ToolRule.forbidden;
import static dev.switchboard.rule.ToolRule.maxCalls;
import static dev.switchboard.rule.ToolRule.needed;
import static dev.switchboard.rule.ToolRule.next;
import static dev.switchboard.rule.ToolRule.nextBy;
import static dev.switchboard.rule.ToolRule.oneOf;
import static dev.switchboard.rule.ToolRule.onlyAfter;
import static dev.switchboard.rule.ToolRule.startWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The lint of rules about what is next, what is due and what is needed.
class NextLintTest {
  private static final String PAY =
      """
      {"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"number"}},\
      "required":["to","amount"],"additionalProperties":false}\
      """;

  private static List<String> faults(ToolRule... rules) {
    List<ToolDefinition> tools =
        Stream.of("a", "b", "c", "d").map(name -> tool(name, "{\"type\":\"object\"}")).toList();
    return RuleLint.faults(List.of(rules), plus(tools, tool("pay", PAY))).stream()
        .map(fault -> fault.kind() + ": " + fault.message())
        .toList();
  }

  private static List<ToolDefinition> plus(List<ToolDefinition> tools, ToolDefinition one) {
    return Stream.concat(tools.stream(), Stream.of(one)).toList();
  }

  private static ToolDefinition tool(String name, String schema) {
    return new ToolDefinition(
        name, "", Json.text(schema), false, ToolMode.EXTERNAL, null, null, List.of(), null);
  }

  private static ToolRule child(String tool, String child, String args) {
    return ToolRule.of(tool, new RuleType.Child(Set.of(child), Map.of(child, Json.text(args))));
  }

  @Test
  void findsNothingInAWorkflow() {
    assertThat(
            faults(
                startWith("a"),
                next("a", "b", "c"),
                next("b", "c"),
                onlyAfter("c", "d"),
                every("a", Duration.ofMinutes(1)),
                needed("d"),
                nextBy("d", Map.of("yes", "a")),
                child("d", "a", "{}")))
        .isEmpty();
  }

  @Test
  void findsAChildThatNeverRuns() {
    assertThat(faults(next("a", "b"), forbidden("b")))
        .containsExactly(
            "RULE_DEADLOCK: after 'a' one of ['b'] has to be next, but cannot run: it is"
                + " forbidden.");
    assertThat(faults(next("a", "b", "c"), forbidden("b"))).isEmpty();
    assertThat(faults(next("a", "b"), after("b", "c"), after("c", "a").scope(ToolRule.Scope.TURN)))
        .containsExactly(
            "RULE_DEADLOCK: after 'a' one of ['b'] has to be next, but cannot run: it waits for"
                + " 'c', which waits for 'a'.");
    assertThat(faults(next("a", "b"), onlyAfter("c", "b")))
        .containsExactly(
            "RULE_DEADLOCK: after 'a' one of ['b'] has to be next, but cannot run: it runs only"
                + " right after 'c'.");
  }

  @Test
  void findsAResultThatLeadsToAToolThatNeverRuns() {
    assertThat(faults(nextBy("a", Map.of("yes", "b")), maxCalls("b", 0)))
        .contains(
            "RULE_DEADLOCK: after 'a' one of ['b'] has to be next, but cannot run: its limit is 0"
                + " calls.");
  }

  @Test
  void findsChildrenThatCanNeverComeRightAfterTheirParent() {
    assertThat(faults(onlyAfter("a", "b"), forbidden("a")))
        .containsExactly("RULE_DEADLOCK: 'b' waits for 'a', which never runs: it is forbidden.");
    assertThat(faults(onlyAfter("a", "b"), onlyAfter("b", "a")))
        .containsExactly(
            "RULE_CYCLE: 'a' waits for 'b', which waits for 'a': none of them can ever run.");
    assertThat(faults(onlyAfter("a", "b"), onlyAfter("c", "b")))
        .containsExactly(
            "RULE_DEADLOCK: 'b' runs only right after 'a', and only right after 'c': it cannot come"
                + " right after both.");
    assertThat(faults(onlyAfter("a", "b"), oneOf("a", "b")))
        .singleElement()
        .asString()
        .startsWith("RULE_DEADLOCK: 'b' can never run");
    assertThat(faults(onlyAfter("a", "b"), startWith("b")))
        .containsExactly(
            "RULE_DEADLOCK: 'b' has to come first, but waits for 'a', which waits for it.");
  }

  @Test
  void findsWhatIsDueOrNeededAndNeverRuns() {
    assertThat(faults(every("a", Duration.ofSeconds(5)), forbidden("a")))
        .containsExactly(
            "RULE_DEADLOCK: 'a' is due again and again, but never runs: it is forbidden.");
    assertThat(faults(needed("a"), forbidden("a")))
        .containsExactly("RULE_DEADLOCK: 'a' is needed, but never runs: it is forbidden.");
  }

  @Test
  void findsRulesThatLeaveNoToolInCommon() {
    assertThat(faults(next("a", "b"), next("a", "c")))
        .containsExactly(
            "RULE_CONFLICT: no tool may follow 'a': its Child rules have none in common.");
    assertThat(faults(next("a", "b"), onlyAfter("a", "c")))
        .containsExactly(
            "RULE_CONFLICT: no tool may follow 'a': its Child and Parent rules have none in"
                + " common.");
    assertThat(faults(next("*", "b"), next("a", "c")))
        .contains("RULE_CONFLICT: no tool may follow 'a': its Child rules have none in common.");
    assertThat(faults(next("a", "b"), exitAfter("a")))
        .containsExactly(
            "RULE_CONFLICT: the loop cannot both end (ExitLoop) and go on with another tool (Child)"
                + " after 'a'.");
  }

  @Test
  void findsStartToolsThatAnotherKeepsFromRunning() {
    ToolRule byTheModel = ToolRule.of("b", new RuleType.StartConstraint(null, false));
    assertThat(faults(startWith("a"), byTheModel, next("a", "c")))
        .singleElement()
        .asString()
        .startsWith("RULE_DEADLOCK: after 'a' one of ['c'] has to be next, but cannot run:");
  }

  @Test
  void checksTheArgumentsThatAreSet() {
    assertThat(faults(child("a", "pay", "{\"amount\":3}"))).isEmpty();
    assertThat(faults(child("a", "pay", "{\"amount\":true}")))
        .containsExactly(
            "PREFILL_TYPE_MISMATCH: Child of 'a' sets args that 'pay' does not take: /amount:"
                + " expected number, found boolean true.");
    assertThat(faults(child("a", "pay", "{\"amuont\":3}")))
        .containsExactly(
            "PREFILL_UNKNOWN_ARGUMENT: Child of 'a' sets the argument 'amuont' of 'pay', which the"
                + " tool does not take; did you mean 'amount'?");
    assertThat(faults(startWith("pay", Json.text("{\"amount\":3}"))))
        .containsExactly(
            "START_TOOL_NEEDS_ARGS: StartConstraint of 'pay' does not state all args that the tool"
                + " needs: the model has to call it first itself.");
  }

  @Test
  void wantsRulesAboutTheNextStepToBeOfOneTurn() {
    assertThat(faults(next("a", "b").scope(ToolRule.Scope.CONVERSATION)))
        .containsExactly(
            "BAD_VALUE: Child of 'a' has the scope conversation, but what is next is a question of"
                + " one turn.");
  }
}
