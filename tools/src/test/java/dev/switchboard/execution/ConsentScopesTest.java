package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Violation;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// What a person's answer holds for, and what it does not.
class ConsentScopesTest extends ManualCalls {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private int ids;

  private ToolExecutor executor(ToolMode mode, ToolRule... rules) {
    Tool pay =
        Tool.dynamic(
                "pay",
                """
                {"type":"object","properties":{"operation":{"type":"string"},
                 "to":{"type":["string","null"]},"sum":{"type":"integer"},
                 "deep":{"type":"object","properties":{"x":{"type":"integer"},
                 "y":{"type":"integer"}}}}}\
                """)
            .mode(mode)
            .inline()
            .handler(arguments -> {
              ran.add(arguments.text());
              return "done";
            });
    return ToolExecutor.builder().tools(pay).rules(rules).time(time).build();
  }

  /// Submits the call, and answers so if somebody has to.
  private ToolResult answered(ToolExecutor executor, String arguments, Answer answer) {
    return switch (submit(executor, arguments)) {
      case CallStep.Settled(var result) -> result;
      case CallStep.Pending(var request) ->
          executor.answer(request.id(), answer, session).orElseThrow();
    };
  }

  private CallStep submit(ToolExecutor executor, String arguments) {
    ids++;
    ToolCall call = ToolCall.of("i" + ids, "pay", arguments);
    return executor.submitAll(List.of(call), session).getFirst();
  }

  private void asks(ToolExecutor executor, String arguments) {
    assertThat(submit(executor, arguments)).isInstanceOf(CallStep.Pending.class);
  }

  private void runs(ToolExecutor executor, String arguments) {
    assertThat(submit(executor, arguments))
        .isInstanceOfSatisfying(
            CallStep.Settled.class, step -> assertThat(step.result().success()).isTrue());
  }

  @Test
  void holdsForTheValuesOfTheBoundArguments() {
    ToolExecutor executor = executor(ToolMode.EXTERNAL, ToolRule.consent("pay", "to", "deep"));
    String first = "{\"to\":\"a\",\"sum\":1,\"deep\":{\"x\":1,\"y\":2}}";
    assertThat(answered(executor, first, Answer.approveAlways()).success()).isTrue();
    runs(executor, "{ \"deep\":{\"y\":2, \"x\":1}, \"sum\":5, \"to\":\"a\" }");
    asks(executor, "{\"to\":\"b\",\"deep\":{\"x\":1,\"y\":2}}");
    asks(executor, "{\"to\":\"a\",\"deep\":{\"x\":2,\"y\":2}}");
    asks(executor, "{\"to\":\"a\"}");
    asks(executor, "{}");
  }

  @Test
  void aBoundArgumentThatIsMissingIsNotTheWholeTool() {
    ToolExecutor executor = executor(ToolMode.EXTERNAL, ToolRule.consent("pay", "to"));
    assertThat(answered(executor, "{\"sum\":1}", Answer.approveAlways()).success()).isTrue();
    runs(executor, "{\"sum\":2}");
    asks(executor, "{\"to\":\"a\"}");
  }

  @Test
  void holdsForTheWholeToolWhereNothingIsBound() {
    ToolExecutor executor = executor(ToolMode.EXTERNAL, ToolRule.consent("pay"));
    answered(executor, "{\"sum\":1}", Answer.approveAlways());
    runs(executor, "{\"to\":\"b\"}");
  }

  @Test
  void holdsForTheseVeryArgumentsOfALocalTool() {
    ToolExecutor executor = executor(ToolMode.LOCAL);
    answered(executor, "{\"to\":\"a\",\"sum\":1}", Answer.approveAlways());
    runs(executor, "{ \"sum\":1, \"to\":\"a\" }");
    asks(executor, "{\"to\":\"a\",\"sum\":2}");
    asks(executor, "{\"to\":\"a\"}");
    answered(executor, "{}", Answer.approveAlways());
    asks(executor, "{\"to\":\"c\"}");
  }

  @Test
  void aRuleWithoutBindLeavesALocalToolBoundToItsArguments() {
    ToolExecutor executor = executor(ToolMode.LOCAL, ToolRule.consent("pay"));
    answered(executor, "{\"sum\":1}", Answer.approveAlways());
    asks(executor, "{\"sum\":2}");
  }

  @Test
  void endsWithItsTime() {
    ToolExecutor executor = executor(ToolMode.EXTERNAL, ToolRule.consent("pay"));
    answered(executor, "{}", Answer.approveFor(Duration.ofMinutes(1)));
    time.advance(Duration.ofMinutes(1).minusNanos(1));
    runs(executor, "{\"sum\":1}");
    time.advance(Duration.ofNanos(1));
    asks(executor, "{\"sum\":2}");
  }

  @Test
  void approvedOnceHoldsForNothingElse() {
    ToolExecutor executor = executor(ToolMode.EXTERNAL, ToolRule.consent("pay"));
    answered(executor, "{}", Answer.approveOnce());
    asks(executor, "{}");
  }

  @Test
  void argumentsPutInAreHeldToTheOperations() {
    ToolExecutor executor =
        executor(
            ToolMode.EXTERNAL,
            ToolRule.consent("pay"),
            ToolRule.allowedOperations("pay", "send", "ask"));
    Answer other = Answer.approveAlways().with(Json.text("{\"operation\":\"burn\"}"));
    assertThat(answered(executor, "{\"operation\":\"send\"}", other).violation())
        .isEqualTo(Violation.OPERATION_NOT_ALLOWED.name());
    assertThat(ran).isEmpty();
    // A refused call leaves no grant.
    asks(executor, "{\"operation\":\"send\"}");
    Answer good = Answer.approveOnce().with(Json.text("{\"operation\":\"ask\"}"));
    assertThat(answered(executor, "{\"operation\":\"send\"}", good).success()).isTrue();
    assertThat(ran).containsExactly("{\"operation\":\"ask\"}");
  }

  @Test
  void whoPutsInArgumentsThatNeedConsentHasGivenIt() {
    Json big = Json.text("{\"properties\":{\"sum\":{\"minimum\":100}},\"required\":[\"sum\"]}");
    ToolExecutor executor =
        executor(
            ToolMode.EXTERNAL,
            ToolRule.consentWhen("pay", big, "sum"),
            ToolRule.maxCalls("pay", 3));
    runs(executor, "{\"sum\":99}");
    Answer edited = Answer.approveAlways().with(Json.text("{\"sum\":1000}"));
    assertThat(answered(executor, "{\"sum\":100}", edited).success()).isTrue();
    // The grant holds for what ran.
    asks(executor, "{\"sum\":100}");
    runs(executor, "{\"sum\":1000}");
    assertThat(submit(executor, "{\"sum\":1000}"))
        .isInstanceOfSatisfying(
            CallStep.Settled.class,
            step ->
                assertThat(step.result().violation())
                    .isEqualTo(Violation.MAX_CALLS_EXCEEDED.name()));
  }

  @Test
  void aMissingArgumentIsNotNull() {
    ToolExecutor executor = executor(ToolMode.EXTERNAL, ToolRule.consent("pay", "to"));
    answered(executor, "{\"sum\":1}", Answer.approveAlways());
    asks(executor, "{\"to\":null}");
    answered(executor, "{\"to\":null}", Answer.approveAlways());
    runs(executor, "{\"to\":null,\"sum\":3}");
    asks(executor, "{\"to\":\"null\"}");
  }

  private static ToolRule large() {
    Json when = Json.text("{\"properties\":{\"sum\":{\"minimum\":100}},\"required\":[\"sum\"]}");
    return ToolRule.consentWhen("pay", when);
  }

  private static ToolRule abroad() {
    Json when = Json.text("{\"properties\":{\"to\":{\"const\":\"KP\"}},\"required\":[\"to\"]}");
    return ToolRule.consentWhen("pay", when);
  }

  @Test
  void holdsForTheRuleThatAskedAlone() {
    ToolExecutor executor = executor(ToolMode.EXTERNAL, large(), abroad());
    answered(executor, "{\"sum\":5000,\"to\":\"FR\"}", Answer.approveAlways());
    runs(executor, "{\"sum\":6000}");
    asks(executor, "{\"sum\":1,\"to\":\"KP\"}");
    asks(executor, "{\"sum\":6000,\"to\":\"KP\"}");
    answered(executor, "{\"sum\":1,\"to\":\"KP\"}", Answer.approveAlways());
    runs(executor, "{\"sum\":6000,\"to\":\"KP\"}");
  }

  @Test
  void changedArgumentsGrantOnlyWhatThePersonSaw() {
    ToolExecutor executor = executor(ToolMode.EXTERNAL, large(), abroad());
    Answer edited = Answer.approveAlways().with(Json.text("{\"sum\":500,\"to\":\"KP\"}"));
    assertThat(answered(executor, "{\"sum\":100}", edited).success()).isTrue();
    runs(executor, "{\"sum\":500}");
    asks(executor, "{\"to\":\"KP\"}");
  }

  @Test
  void aChangedRuleAsksAgain() {
    KeptConversations store = new KeptConversations();
    ToolRule rule = ToolRule.consent("pay", "to");
    approveAlways(stored(store, rule));
    assertThat(step(stored(store, rule.priority(9).metadata(Json.text("{\"by\":\"zoe\"}")))))
        .isInstanceOf(CallStep.Settled.class);
    for (ToolRule other :
        List.of(
            ToolRule.consent("pay"),
            ToolRule.consent("pay", "to", "sum"),
            ToolRule.consent("*", "to"),
            ToolRule.consentWhen("pay", Json.text("{}"), "to"),
            rule.scope(ToolRule.Scope.TURN),
            ToolRule.of("pay", new RuleType.RequiresConsent("payments", null, List.of("to"))))) {
      assertThat(step(stored(store, other))).as("%s", other).isInstanceOf(CallStep.Pending.class);
    }
    assertThat(step(stored(store, rule))).isInstanceOf(CallStep.Settled.class);
  }

  @Test
  void theSameConditionWrittenOtherwiseIsTheSameRule() {
    KeptConversations store = new KeptConversations();
    approveAlways(
        stored(
            store, ToolRule.consentWhen("pay", Json.text("{\"minProperties\":0,\"not\":false}"))));
    ToolRule again =
        ToolRule.consentWhen("pay", Json.text("{ \"not\":false, \"minProperties\":0.0 }"));
    assertThat(step(stored(store, again))).isInstanceOf(CallStep.Settled.class);
  }

  private ToolExecutor stored(ConversationStore store, ToolRule rule) {
    Tool pay =
        Tool.dynamic("pay", "{\"type\":\"object\"}")
            .mode(ToolMode.EXTERNAL)
            .inline()
            .handler(arguments -> "done");
    return ToolExecutor.builder().tools(pay).rules(rule).store(store).time(time).build();
  }

  private CallStep step(ToolExecutor executor) {
    return submit(executor, "{\"to\":\"a\",\"sum\":1}");
  }

  private void approveAlways(ToolExecutor executor) {
    answered(executor, "{\"to\":\"a\",\"sum\":1}", Answer.approveAlways());
  }

  @Test
  void aDenialTellsTheModelWhy() {
    ToolExecutor executor = executor(ToolMode.EXTERNAL, ToolRule.consent("pay"));
    ToolResult denied = answered(executor, "{}", Answer.deny("too much"));
    assertThat(denied.code()).isEqualTo(ResultCode.CONSENT_DENIED);
    assertThat(denied.error()).contains("too much");
    assertThat(ran).isEmpty();
  }
}
