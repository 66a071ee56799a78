package dev.switchboard.ruling;

import static dev.switchboard.rule.ToolRule.after;
import static dev.switchboard.rule.ToolRule.allowedOperations;
import static dev.switchboard.rule.ToolRule.before;
import static dev.switchboard.rule.ToolRule.consent;
import static dev.switchboard.rule.ToolRule.cooldown;
import static dev.switchboard.rule.ToolRule.exitAfter;
import static dev.switchboard.rule.ToolRule.forbidden;
import static dev.switchboard.rule.ToolRule.maxCalls;
import static dev.switchboard.rule.ToolRule.oneOf;
import static dev.switchboard.rule.ToolRule.requiredBeforeExit;
import static dev.switchboard.rule.ToolRule.requiredBeforeExitIf;
import static dev.switchboard.rule.ToolRule.startWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleSetTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private RuleState state = RuleState.NEW;
  private Tallies agent = Tallies.NONE;

  private static RuleSet rules(ToolRule... rules) {
    return RuleSet.of(List.of(rules), List.of(), Map.of());
  }

  private void ran(String tool, boolean success) {
    state = state.started(tool, NOW).ended(tool, success);
    agent = agent.started(tool, NOW).ended(tool, success);
  }

  private Decision decision(RuleSet rules, String tool, String arguments, Instant now) {
    return rules.checks(tool).evaluate(state, agent, ToolCall.of(tool, arguments), now);
  }

  /// The first reason, empty when there is none.
  private String refusal(RuleSet rules, String tool) {
    return refusal(rules, tool, "{}");
  }

  private String refusal(RuleSet rules, String tool, String arguments) {
    return decision(rules, tool, arguments, NOW) instanceof Decision.Denied denied
        ? denied.violation() + ": " + denied.sentence()
        : "";
  }

  @Test
  void allowsWhatNoRuleIsAgainst() {
    assertThat(refusal(RuleSet.NONE, "any")).isEmpty();
    assertThat(RuleSet.NONE.checks("any").isEmpty()).isTrue();
    assertThat(refusal(rules(maxCalls("other", 0)), "any")).isEmpty();
  }

  @Test
  void namesTheStartToolsThatAreMissing() {
    RuleSet rules = rules(startWith("init"), startWith("load"));
    assertThat(refusal(rules, "work"))
        .isEqualTo("START_CONSTRAINTS_NOT_MET: call ['init', 'load'] first");
    ran("init", true);
    ran("load", false);
    assertThat(refusal(rules, "work")).isEqualTo("START_CONSTRAINTS_NOT_MET: call ['load'] first");
    assertThat(refusal(rules, "load")).isEmpty();
    ran("load", true);
    assertThat(refusal(rules, "work")).isEmpty();
  }

  @Test
  void namesThePrerequisitesThatAreMissing() {
    RuleSet rules = rules(after("process", "load", "validate"));
    ran("load", true);
    assertThat(refusal(rules, "process"))
        .isEqualTo("PREREQUISITES_NOT_MET: prerequisites ['validate'] not met");
    ran("validate", false);
    assertThat(refusal(rules, "process"))
        .isEqualTo(
            "PREREQUISITES_NOT_MET: prerequisites ['validate'] not met (tried and failed:"
                + " ['validate'])");
    ran("validate", true);
    assertThat(refusal(rules, "process")).isEmpty();
  }

  @Test
  void namesWhatAlreadyRan() {
    RuleSet rules = rules(before("prepare", "run", "ship"));
    ran("run", true);
    assertThat(refusal(rules, "prepare"))
        .isEqualTo("ORDERING_VIOLATION: it must come before ['run'], which already ran");
  }

  @Test
  void countsStartsWhateverBecameOfThem() {
    RuleSet rules = rules(maxCalls("api", 3));
    ran("api", true);
    ran("api", false);
    assertThat(refusal(rules, "api")).isEmpty();
    state = state.started("api", NOW);
    assertThat(refusal(rules, "api"))
        .isEqualTo("MAX_CALLS_EXCEEDED: limit of 3 calls reached (3 so far)");
    assertThat(refusal(rules(maxCalls("api", 1)), "api"))
        .isEqualTo("MAX_CALLS_EXCEEDED: limit of 1 call reached (3 so far)");
  }

  @Test
  void saysHowLongACooldownLasts() {
    RuleSet rules = rules(cooldown("heavy", Duration.ofMillis(2000)));
    ran("heavy", true);
    Instant later = NOW.plusMillis(500);
    assertThat(decision(rules, "heavy", "{}", later))
        .isEqualTo(
            new Decision.Denied(
                Violation.COOLDOWN_ACTIVE, "cooling down, retry in 1500 ms", null, List.of()));
    assertThat(((Decision.Denied) decision(rules, "heavy", "{}", later.plusNanos(1))).sentence())
        .isEqualTo("cooling down, retry in 1500 ms");
    assertThat(decision(rules, "heavy", "{}", NOW.plusMillis(2000).minusNanos(1)))
        .isInstanceOf(Decision.Denied.class);
    assertThat(decision(rules, "heavy", "{}", NOW.plusMillis(2000))).isSameAs(Decision.ALLOWED);
    assertThat(((Decision.Denied) decision(rules, "heavy", "{}", NOW.minusSeconds(9))).sentence())
        .isEqualTo("cooling down, retry in 2000 ms");
    assertThat(refusal(rules(cooldown("heavy", Duration.ZERO)), "heavy")).isEmpty();
  }

  @Test
  void tellsTheLongestOfSeveralCooldowns() {
    RuleSet rules =
        rules(
            cooldown("heavy", Duration.ofSeconds(1)).scope(ToolRule.Scope.TURN).priority(9),
            cooldown("heavy", Duration.ofSeconds(60)));
    ran("heavy", true);
    assertThat(decision(rules, "heavy", "{}", NOW))
        .isEqualTo(
            new Decision.Denied(
                Violation.COOLDOWN_ACTIVE, "cooling down, retry in 60000 ms", null, List.of()));
  }

  @Test
  void claimsAGroupWhileACallRunsAndFreesItWhenItFails() {
    RuleSet rules = rules(oneOf("json", "xml"));
    state = state.started("xml", NOW);
    assertThat(refusal(rules, "json"))
        .isEqualTo("EXCLUSIVE_GROUP: ['xml'] of its group ['json', 'xml'] was already used");
    assertThat(refusal(rules, "xml")).isEmpty();
    state = state.ended("xml", false);
    assertThat(refusal(rules, "json")).isEmpty();
  }

  @Test
  void refusesOtherOperations() {
    RuleSet rules = rules(allowedOperations("file", "read", "append"));
    assertThat(refusal(rules, "file", "{\"operation\":\"delete\"}"))
        .isEqualTo(
            "OPERATION_NOT_ALLOWED: operation 'delete' is not allowed, use one of ['read',"
                + " 'append']");
    assertThat(refusal(rules, "file", "{\"op\":\"read\"}")).isEmpty();
    assertThat(refusal(rules, "file", "{\"op\":\"delete\",\"operation\":\"read\"}")).isNotEmpty();
    assertThat(refusal(rules, "file", "{\"op\":7}")).contains("operation '7'");
    assertThat(refusal(rules, "file", "{}")).isEmpty();
    assertThat(refusal(rules, "file", "")).isEmpty();
  }

  @Test
  void readsTheOperationWhereTheToolStatesIt() {
    RuleSet rules =
        RuleSet.of(
            List.of(allowedOperations("file", "read")),
            List.of(),
            Map.of("file", new OperationArgument(List.of("verb"), Map.of())));
    assertThat(refusal(rules, "file", "{\"verb\":\"delete\",\"operation\":\"x\"}"))
        .contains("operation 'delete'");
    assertThat(refusal(rules, "file", "{\"verb\":\"read\",\"operation\":\"x\"}")).isEmpty();
  }

  @Test
  void neverRunsWhatIsForbidden() {
    RuleSet rules = rules(forbidden("wipe"));
    assertThat(refusal(rules, "wipe")).isEqualTo("FORBIDDEN: forbidden for this agent");
    assertThat(rules.checks("wipe").forbidden()).isTrue();
    assertThat(rules.checks("other").forbidden()).isFalse();
  }

  @Test
  void namesTheHighestPriorityFirstAndTheOthersAfterIt() {
    RuleSet rules =
        rules(maxCalls("a", 0), after("a", "b").priority(9), forbidden("a").priority(1));
    assertThat(decision(rules, "a", "{}", NOW))
        .isInstanceOfSatisfying(
            Decision.Denied.class,
            denied -> {
              assertThat(denied.violation()).isEqualTo(Violation.PREREQUISITES_NOT_MET);
              assertThat(denied.others())
                  .extracting(Decision.Denied::violation)
                  .containsExactly(Violation.MAX_CALLS_EXCEEDED, Violation.FORBIDDEN);
              assertThat(denied.isFor(Violation.FORBIDDEN)).isTrue();
              assertThat(denied.isFor(Violation.COOLDOWN_ACTIVE)).isFalse();
            });
  }

  @Test
  void holdsForEveryToolOneByOneAndNotForTheOnesItNames() {
    RuleSet rules = rules(maxCalls("*", 1), after("*", "load"));
    assertThat(refusal(rules, "load")).isEmpty();
    assertThat(refusal(rules, "any")).startsWith("PREREQUISITES_NOT_MET");
    ran("load", true);
    assertThat(refusal(rules, "any")).isEmpty();
    ran("any", true);
    assertThat(refusal(rules, "any")).startsWith("MAX_CALLS_EXCEEDED");
    assertThat(refusal(rules, "other")).isEmpty();
  }

  @Test
  void letsAToolsOwnRuleHoldUnlessTheAgentHasOneOfItsType() {
    List<ToolRule> declared = List.of(maxCalls("m", 1), exitAfter("m"));
    assertThat(RuleSet.of(List.of(maxCalls("n", 9)), declared, Map.of()).rules())
        .containsExactly(maxCalls("n", 9), maxCalls("m", 1), exitAfter("m"));
    assertThat(RuleSet.of(List.of(maxCalls("m", 9)), declared, Map.of()).rules())
        .containsExactly(maxCalls("m", 9), exitAfter("m"));
    ToolRule goesOn = ToolRule.of("*", new RuleType.ContinueLoop());
    assertThat(RuleSet.of(List.of(goesOn), declared, Map.of()).rules())
        .containsExactly(goesOn, maxCalls("m", 1));
  }

  @Test
  void saysWhichToolsEndTheLoop() {
    assertThat(rules(exitAfter("end")).checks("end").exitsLoop()).isTrue();
    assertThat(rules(exitAfter("end")).checks("other").exitsLoop()).isFalse();
    RuleSet all = rules(exitAfter("*"), ToolRule.of("chat", new RuleType.ContinueLoop()));
    assertThat(all.checks("any").exitsLoop()).isTrue();
    assertThat(all.checks("chat").exitsLoop()).isFalse();
  }

  @Test
  void saysWhichUsesAreCounted() {
    RuleSet rules =
        rules(
            after("b", "a"),
            cooldown("c", Duration.ofSeconds(1)),
            exitAfter("d"),
            requiredBeforeExitIf("e", "f"));
    assertThat(List.of("a", "e", "f")).allMatch(tool -> rules.checks(tool).counted());
    assertThat(List.of("b", "c", "d", "x")).noneMatch(tool -> rules.checks(tool).counted());
    assertThat(List.of("a", "b", "x")).noneMatch(tool -> rules.checks(tool).countedByAgent());
    assertThat(rules.checks("c").countedByAgent()).isTrue();
    assertThat(rules.checks("c").readsAgent()).isTrue();
    assertThat(rules.checks("b").readsAgent()).isFalse();
    assertThat(rules(maxCalls("*", 3)).checks("x").counted()).isTrue();
  }

  @Test
  void saysWhichCallsHaveToWaitForOthers() {
    RuleSet rules = rules(startWith("init"), after("b", "a"), before("c", "d"), oneOf("e", "f"));
    assertThat(rules.checks("b").dependsOn(Set.of("a"))).isTrue();
    assertThat(rules.checks("c").dependsOn(Set.of("d"))).isTrue();
    assertThat(rules.checks("f").dependsOn(Set.of("e"))).isTrue();
    assertThat(rules.checks("f").dependsOn(Set.of("f"))).isFalse();
    assertThat(rules.checks("a").dependsOn(Set.of("b"))).isFalse();
    assertThat(rules.checks("any").dependsOn(Set.of("init"))).isTrue();
    assertThat(rules.checks("init").dependsOn(Set.of("init"))).isFalse();
  }

  @Test
  void listsItsConsentRules() {
    RuleSet rules = rules(consent("pay"), consent("*").priority(9), consent("other"));
    assertThat(rules.checks("pay").consent())
        .containsExactly(consent("*").priority(9), consent("pay"));
    assertThat(rules.checks("pay").isEmpty()).isTrue();
  }

  @Test
  void requiresEveryToolThatItKnowsWhereARuleIsForAll() {
    List<ToolRule> all = List.of(requiredBeforeExit("*"));
    assertThat(RuleSet.of(all, List.of(), Map.of(), List.of("a", "b")).unmet(RuleState.NEW))
        .containsExactly("a", "b");
    assertThat(RuleSet.of(all, List.of(), Map.of()).unmet(RuleState.NEW)).isEmpty();
  }

  @Test
  void beginsATurnWithoutItsUses() {
    RuleSet rules = rules(maxCalls("a", 1).scope(ToolRule.Scope.TURN), requiredBeforeExit("a"));
    ran("a", true);
    assertThat(refusal(rules, "a")).isNotEmpty();
    state =
        state
            .startRefused()
            .reminded()
            .holding(new RoundEnd.Exit(StopReason.TOOL_RULE, null))
            .nextTurn();
    assertThat(refusal(rules, "a")).isEmpty();
    assertThat(rules.unmet(state)).isEmpty();
    assertThat(state)
        .isEqualTo(new RuleState(Tallies.NONE, state.conversation(), 0, 0, null, null, null));
  }
}
