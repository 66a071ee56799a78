package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A case whose steps are calls, run through the door: its rules, its tools that do as each step
/// says, its approver, its clock.
final class RuleScript {
  private static final Map<String, Set<String>> CODES =
      Map.of(
          "TOOL_NOT_FOUND", Set.of("unknown_tool"),
          "INVALID_ARGUMENTS", Set.of("invalid_arguments"),
          "DUPLICATE_CALL", Set.of("repeated_call"),
          "TIMEOUT", Set.of("timeout"),
          "PERMISSION_DENIED",
              Set.of("consent_denied", "consent_timeout", "no_approver", "rule_violation"));

  private final Vector vector;
  private final CaseRules rules;
  private final ManualTime time = new ManualTime();
  private final ToolExecutor executor;
  private ToolSession session = ToolSession.of("conversation 1");
  private JsonNode step = JsonMapper.shared().nullNode();
  private boolean asked;
  private int calls;
  private int conversations = 1;

  RuleScript(Vector vector) {
    this.vector = vector;
    rules = new CaseRules(vector.given());
    // A registry may change, so rules may name tools that it does not have.
    ToolExecutorBuilder builder = ToolExecutor.builder().registry(new ToolRegistry()).time(time);
    toolNames().forEach(name -> builder.tools(tool(name)));
    if (!vector.given().has("approvers")) {
      builder.approver(this::approve);
    }
    executor = builder.rules(rules.rules()).build();
  }

  /// Runs every step and holds its outcome to what the case expects.
  void run() {
    JsonNode steps = JsonMapper.shared().readTree(vector.when());
    assertThat(steps.size()).as("steps and expectations").isEqualTo(vector.expect().size());
    for (int i = 0; i < steps.size(); i++) {
      step = steps.get(i);
      JsonNode expected = vector.expect().get(i);
      if (step.has("call")) {
        check(call(), expected, vector.id() + " step " + (i + 1));
      } else if (step.has("advance_ms")) {
        time.advance(Duration.ofMillis(step.path("advance_ms").intValue()));
      } else {
        event(step.path("event").stringValue());
      }
    }
  }

  private void event(String name) {
    switch (name) {
      case "new_user_turn" -> session.nextTurn();
      case "new_conversation" -> session = ToolSession.of("conversation " + ++conversations);
      default -> throw new IllegalArgumentException("no event " + name);
    }
  }

  private ToolResult call() {
    asked = false;
    JsonNode args = step.path("args");
    Json arguments = args.isMissingNode() ? Json.EMPTY_OBJECT : Json.of(args);
    String id = "call " + ++calls;
    return executor.execute(new ToolCall(id, step.path("call").stringValue(), arguments), session);
  }

  private void check(ToolResult result, JsonNode expected, String where) {
    String code = result.code() == null ? "" : result.code().word();
    if (expected.path("decision").stringValue().equals("deny")) {
      String kind = expected.path("message_class").stringValue();
      assertThat(result.success()).as(where).isFalse();
      assertThat(CODES.getOrDefault(kind, Set.of("rule_violation"))).as(where).contains(code);
      if (!CODES.containsKey(kind)) {
        assertThat(result.violation()).as(where).isEqualTo(kind);
      }
    } else {
      boolean failed = expected.path("result").asString("").equals("error");
      assertThat(result.success()).as(where + ": " + result).isEqualTo(!failed && !saysFailure());
      assertThat(result.code() == null || code.equals("failed")).as(where + code).isTrue();
    }
    details(result, expected, where);
  }

  private boolean saysFailure() {
    JsonNode returns = tool(step).path("returns");
    return returns.has("success") && !returns.path("success").booleanValue();
  }

  private void details(ToolResult result, JsonNode expected, String where) {
    String error = String.valueOf(result.error());
    for (String list : List.of("mentions", "missing", "already", "group", "lists")) {
      expected.path(list).forEach(word -> assertThat(error).as(where).contains(word.stringValue()));
    }
    for (String number : List.of("max", "current")) {
      if (expected.has(number)) {
        assertThat(error).as(where).contains(expected.path(number).asString());
      }
    }
    if (expected.has("asked")) {
      boolean nobodyThere = vector.given().has("approvers");
      assertThat(asked || nobodyThere)
          .as(where + " asked")
          .isEqualTo(expected.path("asked").booleanValue());
    }
    if (expected.has("reason")) {
      String reason = expected.path("reason").stringValue();
      String word = reason.equals("timeout") ? "consent_timeout" : "no_approver";
      assertThat(result.code()).as(where).isNotNull();
      assertThat(String.valueOf(result.code()).toLowerCase(Locale.ROOT)).isEqualTo(word);
    }
    if (expected.has("loop")) {
      boolean exits = expected.path("loop").stringValue().equals("exit");
      assertThat(session.exited()).as(where + " exited").isEqualTo(exits);
    }
  }

  private Set<String> toolNames() {
    Set<String> names = new LinkedHashSet<>();
    JsonNode given = vector.given().path("tools");
    if (given.isArray()) {
      given.forEach(name -> names.add(name.stringValue()));
      return names;
    }
    names.addAll(given.propertyNames());
    for (ToolRule rule : rules.rules()) {
      names.addAll(RuleWords.names(rule));
    }
    JsonMapper.shared()
        .readTree(vector.when())
        .forEach(s -> names.add(s.path("call").asString("")));
    names.removeAll(Set.of("", "*"));
    return names;
  }

  private JsonNode tool(JsonNode ofStep) {
    return vector.given().path("tools").path(ofStep.path("call").asString(""));
  }

  private Tool tool(String name) {
    JsonNode given = vector.given().path("tools").path(name);
    Tool.DynamicBuilder builder =
        Tool.dynamic(name, RuleWords.schema(given.path("schema")))
            .mode(ToolMode.EXTERNAL)
            .timeout(Duration.ofMillis(vector.given().path("timeout_ms").asInt(1000)))
            .repeatLimit(vector.given().path("dedupe").asString("").equals("on") ? 1 : 3)
            .rules(declared(name));
    if (given.has("return_limit")) {
      builder.resultLimit(given.path("return_limit").intValue());
    }
    return builder.handler((arguments, context) -> answer());
  }

  private RuleType[] declared(String name) {
    return rules.declared().stream()
        .filter(rule -> rule.tool().equals(name))
        .map(ToolRule::type)
        .toArray(RuleType[]::new);
  }

  private Object answer() throws Exception {
    String outcome = step.path("outcome").stringValue();
    switch (outcome) {
      case "error" -> throw ToolException.permanent("it went wrong");
      case "timeout" -> {
        time.awaitSleepers(1);
        time.advance(Duration.ofSeconds(1));
        new CountDownLatch(1).await();
      }
      default -> {}
    }
    JsonNode returns = step.has("returns") ? step.path("returns") : tool(step).path("returns");
    return returns.isMissingNode()
        ? "done"
        : returns.isString() ? returns.stringValue() : Json.of(returns);
  }

  private Answer approve(ConsentRequest request) throws InterruptedException {
    asked = true;
    JsonNode approver = step.path("approver");
    if (approver.has("approve_for_ms")) {
      return Answer.approveFor(Duration.ofMillis(approver.path("approve_for_ms").intValue()));
    }
    if (approver.has("deny")) {
      return Answer.deny(approver.path("deny").stringValue());
    }
    return switch (approver.asString("none")) {
      case "approve_once" -> Answer.approveOnce();
      case "approve_always" -> Answer.approveAlways();
      case "deny" -> Answer.deny("");
      default -> {
        time.awaitSleepers(1);
        time.advance(Duration.ofMinutes(5));
        throw new InterruptedException();
      }
    };
  }
}
