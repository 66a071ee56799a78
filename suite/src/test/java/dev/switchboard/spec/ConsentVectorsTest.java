package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Violation;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Areas `consent*`, and those of rules that are about more than one call at a time, by their ids.
class ConsentVectorsTest {
  private final ManualTime time = new ManualTime();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final ToolSession session = ToolSession.builder("c").events(events::add).build();

  private Tool tool(String name) {
    return Tool.dynamic(name, "{\"type\":\"object\",\"properties\":{\"i\":{\"type\":\"integer\"}}}")
        .mode(ToolMode.EXTERNAL)
        .inline()
        .handler(arguments -> {
          ran.add(name + arguments.text());
          return "done";
        });
  }

  private ToolExecutorBuilder executor(String id) {
    Vector vector = Vectors.byId(id);
    CaseRules rules = new CaseRules(vector.given());
    ToolRegistry registry = new ToolRegistry();
    rules.rules().stream()
        .flatMap(rule -> RuleWords.names(rule).stream())
        .distinct()
        .forEach(name -> registry.register(tool(name)));
    return ToolExecutor.builder().registry(registry).rules(rules.rules()).time(time);
  }

  private ToolResult answered(ToolExecutor executor, String id, Answer answer) {
    return executor.answer(id, answer, session).orElseThrow();
  }

  private CallStep submit(ToolExecutor executor, String id, String name, String arguments) {
    return executor.submitAll(List.of(ToolCall.of(id, name, arguments)), session).getFirst();
  }

  @Test
  void r140And154CloseARequestThatNoOneAnswers() {
    ToolExecutor executor = executor("R140").consentTimeout(Duration.ofMillis(80)).build();
    assertThat(submit(executor, "a", "rm", "{}")).isInstanceOf(CallStep.Pending.class);
    assertThat(executor.expire(session)).isEmpty();
    time.advance(Duration.ofMillis(80));
    assertThat(executor.expire(session))
        .extracting(ToolResult::code)
        .containsExactly(ResultCode.CONSENT_TIMEOUT);
    assertThat(session.waiting()).isEmpty();
    assertThat(executor.answer("a", Answer.approveOnce(), session)).isEmpty();
    assertThat(ran).isEmpty();
    assertThat(events.getLast()).isInstanceOf(Event.ToolSettled.class);
  }

  @Test
  void r142HoldsAnApprovedCallToTheRulesOnceMore() {
    ToolExecutor executor = executor("R142").build();
    submit(executor, "a", "rm", "{\"i\":1}");
    submit(executor, "b", "rm", "{\"i\":2}");
    assertThat(answered(executor, "b", Answer.approveOnce()).success()).isTrue();
    assertThat(answered(executor, "a", Answer.approveOnce()).violation())
        .isEqualTo(Violation.MAX_CALLS_EXCEEDED.name());
    assertThat(ran).containsExactly("rm{\"i\":2}");
  }

  @Test
  void r146LetsNoGrantBeatARuleThatForbids() {
    ToolExecutor executor = executor("R146").build();
    submit(executor, "a", "rm", "{\"i\":1}");
    assertThat(answered(executor, "a", Answer.approveAlways()).success()).isTrue();
    assertThat(submit(executor, "b", "rm", "{\"i\":2}")).isInstanceOf(CallStep.Settled.class);

    executor.tools().replace(forbidden("rm"));
    assertThat(submit(executor, "c", "rm", "{\"i\":3}"))
        .isInstanceOfSatisfying(
            CallStep.Settled.class,
            step -> assertThat(step.result().violation()).isEqualTo(Violation.FORBIDDEN.name()));
    assertThat(ran).hasSize(2);
  }

  private static Tool forbidden(String name) {
    return Tool.dynamic(name).rules(new RuleType.Forbidden()).handler(arguments -> "never");
  }

  @Test
  void r147RunsTheArgumentsThatThePersonPutIn() {
    ToolExecutor executor = executor("R147").build();
    submit(executor, "a", "rm", "{\"i\":1}");
    Answer bad = Answer.approveOnce().with(Json.text("{\"i\":\"one\"}"));
    assertThatThrownBy(() -> executor.answer("a", bad, session))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/i: expected integer");
    assertThat(session.waiting()).hasSize(1);
    Answer good = Answer.approveOnce().with(Json.text("{\"i\":7}"));
    assertThat(answered(executor, "a", good).success()).isTrue();
    assertThat(ran).containsExactly("rm{\"i\":7}");
  }

  @Test
  void r149KnowsNoRequestThatDoesNotWait() {
    ToolExecutor executor = executor("R149").build();
    assertThat(executor.answer("nothing", Answer.approveOnce(), session)).isEmpty();
  }

  @Test
  void r152AsksNoMoreWhenTheRuleIsGone() {
    ToolExecutor asking = executor("R152").build();
    assertThat(submit(asking, "a", "secret", "{}")).isInstanceOf(CallStep.Pending.class);
    ToolExecutor free = ToolExecutor.of(tool("secret"));
    assertThat(submit(free, "b", "secret", "{}")).isInstanceOf(CallStep.Settled.class);
  }

  @Test
  void answersACallThatCameTwiceTogether() {
    ToolExecutor executor = executor("R135").build();
    submit(executor, "a", "rm", "{}");
    assertThat(submit(executor, "a", "rm", "{}")).isInstanceOf(CallStep.Pending.class);
    answered(executor, "a", Answer.approveOnce());
    assertThat(ran).hasSize(1);
    assertThat(results()).hasSize(2).allMatch(ToolResult::success);
  }

  private Stream<ToolResult> resultEvents() {
    return events.stream()
        .flatMap(event ->
            event instanceof Event.ToolSettled(var result, var tool)
                ? Stream.of(result)
                : Stream.of());
  }

  private List<ToolResult> results() {
    return resultEvents().toList();
  }

  @Test
  void r017ForcesTheStartToolAtTheThirdRefusal() {
    ToolExecutor executor = executor("R017").build();
    for (int i = 1; i <= 3; i++) {
      ToolResult refused =
          executor.execute(ToolCall.of("c" + i, "work", "{\"i\":" + i + "}"), session);
      assertThat(refused.code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
    }
    executor.tools().register(tool("work"));
    for (int i = 1; i <= 3; i++) {
      ToolResult refused =
          executor.execute(ToolCall.of("d" + i, "work", "{\"i\":" + i + "}"), session);
      assertThat(refused.violation()).isEqualTo(Violation.START_CONSTRAINTS_NOT_MET.name());
      assertThat(refused.error()).contains("init");
    }
    assertThat(ran).containsExactly("init{}");
    assertThat(reminders()).hasSize(2).allMatch(text -> text.contains("init"));
    assertThat(executor.execute(ToolCall.of("d4", "work", "{}"), session).success()).isTrue();
  }

  private List<String> reminders() {
    return events.stream()
        .filter(
            event -> event instanceof Event.AgentEvent(var name, var p) && name.equals("reminder"))
        .map(event -> event.json().text())
        .toList();
  }

  @Test
  void r018EndsTheTurnWhenTheForcedStartFails() {
    Tool init =
        Tool.dynamic("init")
            .handler(arguments -> {
              throw ToolException.permanent("no database");
            });
    ToolExecutor executor =
        ToolExecutor.builder().tools(init, tool("work")).rules(ToolRule.startWith("init")).build();
    for (int i = 1; i <= 3; i++) {
      executor.execute(ToolCall.of("c" + i, "work", "{}"), session);
    }
    assertThat(session.exited()).isTrue();
    assertThat(events)
        .filteredOn(Event.Failed.class::isInstance)
        .singleElement()
        .satisfies(event -> assertThat(event.json().text()).contains("start_failed", "init"));
    session.nextTurn();
    assertThat(executor.execute(ToolCall.of("c9", "work", "{}"), session).violation())
        .isEqualTo(Violation.START_CONSTRAINTS_NOT_MET.name());
    assertThat(ran).isEmpty();
  }

  @Test
  void r015And019RunStartToolOnceWithoutCountingIt() {
    ToolExecutor executor = executor("R015").build();
    assertThat(executor.rules(session).begin()).hasSize(1).allMatch(ToolResult::success);
    assertThat(executor.rules(session).begin()).as("it has succeeded").isEmpty();
    for (int i = 0; i < 3; i++) {
      ToolCall call = ToolCall.of("c" + i, "init", "{}");
      assertThat(executor.execute(call, session).success()).as("own calls do not count").isTrue();
    }
    assertThat(executor.execute(ToolCall.of("c4", "init", "{}"), session).code())
        .isEqualTo(ResultCode.REPEATED_CALL);
  }

  @Test
  void r029SkipsWhatComesAfterAnExitInTheSameRound() {
    ToolExecutor executor = executor("R029").build();
    executor.tools().register(tool("a"));
    executor.tools().register(tool("b"));
    List<ToolResult> results =
        executor.executeAll(
            Stream.of("a", "end", "b").map(name -> ToolCall.of(name, name, "{}")).toList(),
            session);
    assertThat(results).extracting(ToolResult::success).containsExactly(true, true, false);
    assertThat(results.getLast().code()).isEqualTo(ResultCode.SKIPPED_AFTER_EXIT);
    assertThat(session.state().exit()).isEqualTo(StopReason.TOOL_RULE);
    assertThat(ran).containsExactlyInAnyOrder("a{}", "end{}");
  }

  @Test
  void r030HoldsAnExitBackUntilTheRequiredToolHasRun() {
    ToolExecutor executor = executor("R030").build();
    executor.execute(ToolCall.of("c1", "end", "{}"), session);
    assertThat(session.exited()).isFalse();
    assertThat(executor.rules(session).unmet()).containsExactly("save");
    assertThat(executor.rules(session).finish()).isEmpty();
    assertThat(session.exited()).isTrue();
    assertThat(ran).containsExactly("end{}", "save{}");
  }

  @Test
  void callsThatDependOnOneAnotherAreNotMadeSideBySide() {
    ToolExecutor executor = executor("R003").build();
    List<ToolResult> results =
        executor.executeAll(
            List.of(ToolCall.of("1", "load", "{}"), ToolCall.of("2", "validate", "{}")), session);
    assertThat(results).allMatch(ToolResult::success);
    assertThat(ran).containsExactly("load{}", "validate{}");
  }

  @Test
  void offersWhatTheRulesLetRunNow() {
    ToolExecutor executor = executor("R011").build();
    executor.tools().register(tool("work"));
    assertThat(executor.rules(session).offer().tools())
        .extracting(ToolDefinition::name)
        .containsExactly("init");
    assertThat(executor.rules(session).offer().choice())
        .isEqualTo(ModelRequest.ToolChoice.REQUIRED);
    executor.rules(session).begin();
    assertThat(executor.rules(session).offer().tools()).hasSize(2);
    assertThat(executor.rulesText()).startsWith("# Tool rules").contains("init");
  }
}
