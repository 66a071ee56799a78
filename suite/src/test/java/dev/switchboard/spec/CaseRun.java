package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.attempt.ResultConverter;
import dev.switchboard.json.Json;
import dev.switchboard.ruling.Decision;
import dev.switchboard.ruling.LoopControl;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.ruling.LoopStep;
import dev.switchboard.ruling.Offer;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.ruling.StartStep;
import dev.switchboard.ruling.Tallies;
import dev.switchboard.ruling.Violation;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The steps of a case, and what has to come of each. Every call is a round of its own.
final class CaseRun {
  private static final List<String> KNOWN =
      List.of(
          "decision",
          "result",
          "loop",
          "note",
          "message_class",
          "missing",
          "max",
          "current",
          "already",
          "group",
          "lists",
          "operation",
          "remaining_ms_at_most",
          "mentions",
          "attempt",
          "extra",
          "names",
          "strength",
          "runtime_executes",
          "then",
          "allowed",
          "tool_choice",
          "executed_args",
          "hint");
  private static final Map<String, Integer> STRENGTHS = Map.of("normal", 1, "stronger", 2);

  private final JsonNode given;
  private final RuleSet rules;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private RuleState state = RuleState.NEW.begun(now);
  private Tallies agent = Tallies.NONE;

  CaseRun(JsonNode given) {
    this.given = given;
    CaseRules parts = new CaseRules(given);
    rules = RuleSet.of(parts.rules(), parts.declared(), Map.of());
  }

  void steps(JsonNode steps, JsonNode expected) {
    assertThat(steps.size()).isEqualTo(expected.size()).isPositive();
    for (int i = 0; i < steps.size(); i++) {
      assertThat(expected.get(i).propertyNames()).isSubsetOf(KNOWN);
      step(steps.get(i), expected.get(i));
    }
  }

  private void step(JsonNode step, JsonNode expected) {
    if (step.has("call")) {
      call(step, expected);
    } else if (step.has("ask")) {
      offer(expected);
    } else if (step.has("advance_ms")) {
      now = now.plusMillis(step.path("advance_ms").longValue());
    } else {
      switch (step.path("event").stringValue()) {
        case "model_stops" -> loop(RoundEnd.TEXT, expected);
        case "new_user_turn" -> state = state.nextTurn();
        case "new_conversation" -> state = RuleState.NEW;
        case "next_step" -> due(expected);
        default -> throw new IllegalArgumentException("no such event: " + step);
      }
    }
  }

  private void offer(JsonNode expected) {
    Offer offer = rules.offer(new CaseRules(given).tools(), state, agent, now);

    assertThat(offer.tools().stream().map(ToolDefinition::name))
        .containsExactlyElementsOf(CaseRules.strings(expected.path("allowed")));
    assertThat(offer.choice().name().toLowerCase(Locale.ROOT))
        .isEqualTo(
            expected.path("tool_choice").asString(offer.choice().name().toLowerCase(Locale.ROOT)));
  }

  private void due(JsonNode expected) {
    assertThat(expected.path("loop").stringValue()).isEqualTo("remind");
    assertThat(rules.due(state, agent, now)).isEqualTo(CaseRules.strings(expected.path("names")));
  }

  private void call(JsonNode step, JsonNode expected) {
    String tool = step.path("call").stringValue();
    JsonNode args = step.path("args");
    ToolCall call = ToolCall.of(tool, args.isMissingNode() ? Json.text("{}") : Json.of(args));
    switch (rules.checks(tool).evaluate(state, agent, call, now)) {
      case Decision.Allowed allowed -> {
        assertThat(expected.path("decision").stringValue()).isEqualTo("allow");
        if (expected.has("executed_args")) {
          assertThat(rules.prefilled(call, state, agent).arguments().tree())
              .isEqualTo(expected.path("executed_args"));
        }
        ran(tool, step, expected);
      }
      case Decision.Denied denied -> {
        assertThat(expected.path("decision").stringValue()).as(denied.sentence()).isEqualTo("deny");
        refused(tool, denied, expected);
      }
    }
  }

  private void ran(String tool, JsonNode step, JsonNode expected) {
    boolean says = given.at("/tools/" + tool + "/returns/success").asBoolean(true);
    boolean success = step.path("outcome").stringValue().equals("ok") && says;
    if (expected.has("result")) {
      assertThat(success).isNotEqualTo(expected.path("result").stringValue().equals("error"));
    }
    state = state.started(tool, now).ended(tool, success);
    agent = agent.started(tool, now).ended(tool, success);
    JsonNode returns = step.path("returns");
    Object answer =
        returns.isMissingNode()
            ? "done"
            : returns.isString() ? returns.stringValue() : Json.of(returns);
    ToolResult result = ResultConverter.of(success ? answer : ToolResult.error("no"), 1000, "1");
    state = rules.checks(tool).ended(state, tool, result).stepEnded();
    boolean exits = success && rules.checks(tool).exitsLoop();
    loop(exits ? RoundEnd.EXITED : RoundEnd.RESULTS, expected);
  }

  private void refused(String tool, Decision.Denied denied, JsonNode expected) {
    assertThat(denied.violation().name()).isEqualTo(expected.path("message_class").stringValue());
    String sentence = denied.sentence();
    for (String list : List.of("missing", "already", "group", "lists")) {
      expected.path(list).forEach(name -> assertThat(sentence).contains("'" + name.asString()));
    }
    for (String number : List.of("max", "current")) {
      assertThat(sentence).contains(expected.path(number).asString(""));
    }
    assertThat(sentence).contains(expected.path("operation").asString(""));
    assertThat(String.valueOf(denied.hint())).contains(expected.path("hint").asString(""));
    expected
        .path("mentions")
        .forEach(name -> assertThat("Tool '" + tool + "': " + sentence).contains(name.asString()));
    if (expected.has("remaining_ms_at_most")) {
      assertThat(Integer.parseInt(sentence.replaceAll("\\D", "")))
          .isLessThanOrEqualTo(expected.path("remaining_ms_at_most").intValue());
    }
    if (denied.isFor(Violation.START_CONSTRAINTS_NOT_MET)) {
      start(expected);
    }
    loop(RoundEnd.RESULTS, expected);
  }

  private void start(JsonNode expected) {
    StartStep step = LoopControl.startRefused(rules, state, agent, tool -> true);
    state = step.next();
    int attempt = expected.path("attempt").intValue(state.startRefusals());
    assertThat(state.startRefusals()).isEqualTo(attempt);
    assertThat(step.reminder() != null).isEqualTo(attempt > 1);
    assertThat(step.forced().isEmpty()).isEqualTo(attempt != 3);
    step.forced()
        .forEach(call -> assertThat(expected.path("extra").asString()).contains(call.tool()));
  }

  private void loop(RoundEnd end, JsonNode expected) {
    LoopStep step = LoopControl.decide(rules, state, end, tool -> true);
    state = step.next();
    String loop = expected.path("loop").asString("");
    List<String> names = CaseRules.strings(expected.path("names"));
    switch (step.decision()) {
      case LoopDecision.Continue goesOn -> assertThat(loop).isIn("", "continue");
      case LoopDecision.Remind remind -> {
        assertThat(loop).isIn("continue", "remind");
        assertThat(remind.tools()).containsAll(names);
        names.forEach(name -> assertThat(remind.text()).contains(name));
        assertThat(remind.strength())
            .isEqualTo(
                STRENGTHS.getOrDefault(expected.path("strength").asString(""), remind.strength()));
      }
      case LoopDecision.Force force -> {
        assertThat(loop).isEqualTo("force");
        assertThat(force.tools()).isEqualTo(CaseRules.strings(expected.path("runtime_executes")));
        assertThat(expected.path("then").stringValue()).isEqualTo("exit");
      }
      // Of a reply's form the rules know nothing.
      case LoopDecision.Correct correct -> assertThat(correct).isNull();
      case LoopDecision.Reject reject -> assertThat(reject).isNull();
      case LoopDecision.Exit exit -> {
        assertThat(loop).isEqualTo("exit");
        assertThat(exit.unmet()).isEmpty();
      }
    }
  }
}
