package dev.switchboard.ruling;

import static dev.switchboard.rule.ToolRule.exitAfter;
import static dev.switchboard.rule.ToolRule.requiredBeforeExit;
import static dev.switchboard.rule.ToolRule.startWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoopControlTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final RuleSet SAVE = rules(exitAfter("end"), requiredBeforeExit("save"));

  private RuleState state = RuleState.NEW;

  private static RuleSet rules(ToolRule... rules) {
    return RuleSet.of(List.of(rules), List.of(), Map.of());
  }

  private LoopDecision after(RuleSet rules, RoundEnd end) {
    LoopStep step = LoopControl.decide(rules, state, end, tool -> !tool.startsWith("needs"));
    state = step.next();
    return step.decision();
  }

  private void ran(String tool) {
    state = state.started(tool, NOW).ended(tool, true);
  }

  private static LoopDecision exit(StopReason reason, String... unmet) {
    return new LoopDecision.Exit(reason, List.of(unmet));
  }

  @Test
  void endsWhereNothingIsRequired() {
    assertThat(after(RuleSet.NONE, RoundEnd.TEXT)).isEqualTo(exit(StopReason.END_TURN));
    assertThat(after(RuleSet.NONE, RoundEnd.EXITED)).isEqualTo(exit(StopReason.TOOL_RULE));
    assertThat(after(RuleSet.NONE, RoundEnd.TERMINAL)).isEqualTo(exit(StopReason.TERMINAL_RESULT));
    assertThat(after(RuleSet.NONE, RoundEnd.RESULTS))
        .isEqualTo(new LoopDecision.Continue(List.of()));
    assertThat(state).isEqualTo(RuleState.NEW);
  }

  @Test
  void endsWhenStoppedWhateverElseHappened() {
    assertThat(after(SAVE, RoundEnd.stopped(StopReason.CANCELLED)))
        .isEqualTo(exit(StopReason.CANCELLED, "save"));
    assertThat(after(SAVE, new RoundEnd(StopReason.MODEL_TIMEOUT, RoundEnd.TERMINAL.exit(), true)))
        .isEqualTo(exit(StopReason.MODEL_TIMEOUT, "save"));
  }

  @Test
  void remindsTwiceAndThenCallsItself() {
    assertThat(after(SAVE, RoundEnd.TEXT))
        .isEqualTo(new LoopDecision.Remind(1, List.of("save"), "Before the end, call save."));
    assertThat(after(SAVE, RoundEnd.RESULTS)).isEqualTo(new LoopDecision.Continue(List.of()));
    assertThat(after(SAVE, RoundEnd.TEXT))
        .isEqualTo(
            new LoopDecision.Remind(
                2, List.of("save"), "Last reminder: call save now, before anything else."));
    assertThat(after(SAVE, RoundEnd.TEXT))
        .isEqualTo(new LoopDecision.Force(List.of("save"), StopReason.END_TURN));
  }

  @Test
  void holdsAnExitBackUntilTheLastRequirementIsMet() {
    assertThat(after(SAVE, RoundEnd.EXITED)).isInstanceOf(LoopDecision.Remind.class);
    assertThat(after(SAVE, RoundEnd.RESULTS)).isEqualTo(new LoopDecision.Continue(List.of("save")));
    ran("save");
    assertThat(after(SAVE, RoundEnd.RESULTS)).isEqualTo(exit(StopReason.TOOL_RULE));
  }

  @Test
  void keepsTheReasonAndTheWordsOfTheFirstExitThatItHoldsBack() {
    RoundEnd.Exit paid = new RoundEnd.Exit(StopReason.TERMINAL_RESULT, "Paid.");
    RoundEnd.Exit bye = new RoundEnd.Exit(StopReason.TOOL_RULE, "Bye.");
    assertThat(after(SAVE, new RoundEnd(null, paid, true))).isInstanceOf(LoopDecision.Remind.class);
    assertThat(after(SAVE, new RoundEnd(null, bye, true))).isInstanceOf(LoopDecision.Remind.class);
    assertThat(after(SAVE, RoundEnd.TEXT))
        .isEqualTo(
            new LoopDecision.Force(List.of("save"), StopReason.TERMINAL_RESULT, "Paid.", null));
    ran("save");
    assertThat(after(SAVE, RoundEnd.RESULTS))
        .isEqualTo(new LoopDecision.Exit(StopReason.TERMINAL_RESULT, List.of(), "Paid.", null));
  }

  @Test
  void usesMessageOfExitThatWasHeldBackWithoutOne() {
    state = state.holding(RoundEnd.EXITED.exit());
    ran("save");
    RoundEnd.Exit bye = new RoundEnd.Exit(StopReason.TOOL_RULE, "Bye.");
    assertThat(after(SAVE, new RoundEnd(null, bye, true)))
        .isEqualTo(new LoopDecision.Exit(StopReason.TOOL_RULE, List.of(), "Bye.", null));
  }

  @Test
  void namesWhatCannotBeCalledWithoutArguments() {
    RuleSet rules = rules(requiredBeforeExit("needs_text"), requiredBeforeExit("save"));
    state = state.reminded().reminded();
    assertThat(after(rules, RoundEnd.EXITED))
        .isEqualTo(new LoopDecision.Force(List.of("save"), StopReason.TOOL_RULE));
    assertThat(after(rules(requiredBeforeExit("needs_text")), RoundEnd.TEXT))
        .isEqualTo(exit(StopReason.TOOL_RULE, "needs_text"));
  }

  @Test
  void callsThemInTheOrderThatTheirRulesAskFor() {
    RuleSet rules =
        rules(
            requiredBeforeExit("close").priority(9),
            requiredBeforeExit("flush"),
            requiredBeforeExit("open").priority(1),
            ToolRule.after("close", "flush"),
            ToolRule.before("open", "flush"));
    state = state.reminded().reminded();
    assertThat(after(rules, RoundEnd.TEXT))
        .isEqualTo(new LoopDecision.Force(List.of("open", "flush", "close"), StopReason.END_TURN));
  }

  private static List<StartCall> begins(RuleSet rules, RuleState state) {
    return LoopControl.startCalls(rules, state, Tallies.NONE, tool -> !tool.startsWith("needs"));
  }

  @Test
  void callsStartToolsInTheOrderOfPriority() {
    Json args = Json.text("{\"account\":7}");
    RuleSet rules =
        rules(
            startWith("last").priority(1),
            startWith("needs_account", args).priority(9),
            startWith("needs_more"),
            ToolRule.of("by_model", new RuleType.StartConstraint(null, false)),
            startWith("first").priority(10));
    assertThat(begins(rules, state))
        .containsExactly(
            new StartCall("first", Json.EMPTY_OBJECT),
            new StartCall("needs_account", args),
            new StartCall("last", Json.EMPTY_OBJECT));
    ran("first");
    assertThat(begins(rules, state)).hasSize(2);
    RuleSet waiting =
        rules(startWith("b").priority(9), startWith("a"), ToolRule.after("b", "a"), startWith("b"));
    assertThat(begins(waiting, RuleState.NEW))
        .extracting(StartCall::tool)
        .containsExactly("a", "b");
  }

  @Test
  void remindsOfAStartToolAndCallsItAtTheThirdRefusal() {
    RuleSet rules = rules(ToolRule.of("init", new RuleType.StartConstraint(null, false)));
    for (int i = 1; i <= 4; i++) {
      StartStep step = LoopControl.startRefused(rules, state, Tallies.NONE, tool -> true);
      state = step.next();
      assertThat(state.startRefusals()).isEqualTo(i);
      assertThat(step.reminder())
          .isEqualTo(i == 1 ? null : "Call init first: every other tool is refused until then.");
      assertThat(step.forced())
          .isEqualTo(i == 3 ? List.of(new StartCall("init", Json.EMPTY_OBJECT)) : List.of());
    }
  }
}
