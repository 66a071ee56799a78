package dev.switchboard.ruling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleTextTest {
  private static String sentence(ToolRule rule) {
    return RuleText.sentence(rule);
  }

  @Test
  void isEmptyWithoutRules() {
    assertThat(RuleText.prompt(RuleSet.NONE)).isEmpty();
  }

  @Test
  void hasALineForEachRuleInTheOrderOfPriority() {
    RuleSet rules =
        RuleSet.of(
            List.of(
                ToolRule.maxCalls("a", 1).priority(2),
                ToolRule.exitAfter("b").priority(9),
                ToolRule.forbidden("c").priority(2)),
            List.of(ToolRule.maxCalls("d", 2).priority(2)),
            Map.of());
    assertThat(RuleText.prompt(rules))
        .isEqualTo(
            """
            # Tool rules
            - The conversation ends after b has succeeded.
            - Call a at most 1 time in a conversation.
            - Never call c: it is forbidden.
            - Call d at most 2 times in a conversation.\
            """);
  }

  @Test
  void saysHowFarBackARuleLooks() {
    assertThat(sentence(ToolRule.maxCalls("a", 3).scope(ToolRule.Scope.TURN)))
        .isEqualTo("Call a at most 3 times in a turn.");
    assertThat(sentence(ToolRule.maxCalls("a", 3).scope(ToolRule.Scope.AGENT)))
        .isEqualTo("Call a at most 3 times over all conversations.");
    assertThat(
            sentence(
                ToolRule.cooldown("a", Duration.ofNanos(1)).scope(ToolRule.Scope.CONVERSATION)))
        .isEqualTo("Leave at least 1 ms between a and its next call within the same conversation.");
    assertThat(sentence(ToolRule.cooldown("a", Duration.ofNanos(1)).scope(ToolRule.Scope.TURN)))
        .isEqualTo("Leave at least 1 ms between a and its next call within the same turn.");
    assertThat(sentence(ToolRule.after("a", "b").scope(ToolRule.Scope.TURN)))
        .isEqualTo("Call a only after b has succeeded in this turn.");
    assertThat(sentence(ToolRule.after("a", "b").scope(ToolRule.Scope.AGENT)))
        .isEqualTo("Call a only after b has succeeded in any conversation.");
    assertThat(sentence(ToolRule.before("a", "b").scope(ToolRule.Scope.AGENT)))
        .isEqualTo("Call a only before b; it is refused once b has succeeded in any conversation.");
    assertThat(sentence(ToolRule.startWith("a").scope(ToolRule.Scope.TURN)))
        .isEqualTo("Call a first; no other tool runs before it has succeeded in this turn.");
    assertThat(sentence(ToolRule.startWith("a").scope(ToolRule.Scope.AGENT)))
        .isEqualTo("Call a first; no other tool runs before it has succeeded in any conversation.");
    assertThat(sentence(ToolRule.every("a", Duration.ofMinutes(5)).scope(ToolRule.Scope.AGENT)))
        .isEqualTo("Call a every 300s, counted over all conversations.");
    assertThat(sentence(ToolRule.requiredBeforeExit("a").scope(ToolRule.Scope.TURN)))
        .isEqualTo("Call a before ending the turn.");
  }

  @Test
  void saysWhatHoldsForEveryTool() {
    assertThat(sentence(ToolRule.maxCalls("*", 3)))
        .isEqualTo("Call each tool at most 3 times in a conversation.");
    assertThat(sentence(ToolRule.cooldown("*", Duration.ofSeconds(2))))
        .isEqualTo("Leave at least 2000 ms between calls of the same tool.");
    assertThat(sentence(ToolRule.after("*", "load")))
        .isEqualTo("Call any other tool only after load has succeeded.");
    assertThat(sentence(ToolRule.forbidden("*")))
        .isEqualTo("Never call any tool: it is forbidden.");
  }

  @Test
  void saysSomethingOfEveryRule() {
    assertThat(sentence(ToolRule.of("a", new RuleType.ExclusiveGroups(List.of()))))
        .isEqualTo("Use any of the tools.");
    assertThat(
            sentence(
                ToolRule.of("a", new RuleType.ExclusiveGroups(List.of(Set.of("a"), Set.of("b"))))))
        .isEqualTo("Use only one of a and only one of b in a conversation.");
    assertThat(sentence(ToolRule.allowedOperations("a"))).isEqualTo("Use no operation of a.");
    assertThat(sentence(ToolRule.after("a"))).isEqualTo("Call a whenever it helps.");
    assertThat(sentence(ToolRule.maxCalls("a", 0)))
        .isEqualTo("Never call a: its limit is 0 calls.");
    assertThat(sentence(ToolRule.consentWhen("a", Json.EMPTY_OBJECT)))
        .isEqualTo("A person has to agree to some calls of a, depending on the arguments.");
  }
}
