package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Checked;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.Default;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which calls a condition asks about: all but those that surely do not meet it.
class ConsentConditionsTest extends ManualCalls {
  private static final String DEAR_PART =
      """
      {"properties":{"part":{"$ref":"#/$defs/part"}},"required":["part"],
       "$defs":{"part":{"anyOf":[
         {"properties":{"price":{"minimum":1000}},"required":["price"]},
         {"properties":{"part":{"$ref":"#/$defs/part"},"kind":{"const":"bundle"}},
          "required":["part","kind"]},
         {"properties":{"part":{"$ref":"#/$defs/part"},"kind":{"const":"set"}},
          "required":["part","kind"]}]}}}
      """;
  private static final String DEAR_ITEM =
      """
      {"properties":{"items":{"contains":{"properties":{"price":{"minimum":1000}},
       "required":["price"]}}},"required":["items"]}
      """;

  private int ids;

  private ToolExecutor executor(String when) {
    Tool order =
        Tool.dynamic("order", "{\"type\":\"object\"}")
            .mode(ToolMode.EXTERNAL)
            .inline()
            .handler(arguments -> "done");
    return ToolExecutor.builder()
        .tools(order)
        .rules(ToolRule.consentWhen("order", Json.text(when)))
        .time(time)
        .build();
  }

  private boolean asks(ToolExecutor executor, String arguments) {
    ids++;
    ToolCall call = ToolCall.of("i" + ids, "order", arguments);
    return executor.submitAll(List.of(call), session).getFirst() instanceof CallStep.Pending;
  }

  private static String part(int depth, int price) {
    return "{\"part\":".repeat(depth + 1)
        + "{\"price\":"
        + price
        + "}"
        + ",\"kind\":\"set\"}".repeat(depth)
        + "}";
  }

  @Test
  void aConditionReadsTheOwnNamesOfParameters() {
    Tool order =
        Tool.dynamic(
                "order",
                "{\"type\":\"object\",\"properties\":{\"größe\":{\"type\":\"integer\"},\"gr_e\":{}}}")
            .mode(ToolMode.EXTERNAL)
            .inline()
            .handler(arguments -> arguments);
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(order)
            .rules(
                ToolRule.consentWhen(
                    "order",
                    Json.text(
                        "{\"properties\":{\"größe\":{\"minimum\":9}},\"required\":[\"größe\"]}")))
            .time(time)
            .build();
    assertThat(executor.rules(session).offer().tools().getFirst().parameters().text())
        .contains("\"gr_e_2\":{");
    assertThat(asks(executor, "{\"gr_e_2\":9}")).isTrue();
    assertThat(asks(executor, "{\"gr_e_2\":9,\"gr_e\":1}")).isTrue();
    assertThat(asks(executor, "{\"größe\":9,\"gr_e\":1}")).isTrue();
    assertThat(asks(executor, "{\"gr_e\":9}")).isFalse();
    assertThat(asks(executor, "{\"gr_e_2\":8,\"gr_e\":9}")).isFalse();
  }

  @Test
  void aConditionThatIsTooCostlyToDecideAsks() {
    ToolExecutor executor = executor(DEAR_PART);
    for (int depth = 0; depth <= 60; depth++) {
      assertThat(asks(executor, part(depth, 5000))).as("at depth %d", depth).isTrue();
    }
    assertThat(asks(executor, part(2, 5))).isFalse();
  }

  @Test
  void aConditionThatCannotBeDecidedAsks() {
    // Two ways at each level, both of which fail at the very end.
    String when =
        """
        {"properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"],"$defs":{"n":{"anyOf":[
         {"allOf":[{"properties":{"n":{"$ref":"#/$defs/n"}}},{"required":["a"]}]},
         {"allOf":[{"properties":{"n":{"$ref":"#/$defs/n"}}},{"required":["b"]}]}]}}}
        """;
    ToolExecutor executor = executor(when);
    assertThat(asks(executor, nested(5))).isFalse();
    assertThat(asks(executor, nested(150))).isTrue();
    // That it truly is undecided, so that the above says something.
    assertThat(
            ParameterSchema.parse("order", ruleCondition(when), false)
                .check(Json.text(nested(150))))
        .isInstanceOfSatisfying(
            Checked.Refused.class, refused -> assertThat(refused.undecided()).isTrue());
  }

  private static Json ruleCondition(String when) {
    return Json.text(when.replaceFirst("\\{", "{\"type\":\"object\","));
  }

  private static String nested(int levels) {
    return "{\"n\":".repeat(levels) + "{}" + "}".repeat(levels);
  }

  record Payment(int amount, @Default("5000") int limit) {}

  @Test
  void aConditionSeesTheDefaultOfWhatIsMissing() {
    Tool pay = Tool.typed("pay", Payment.class).inline().handler(payment -> "paid");
    Json when =
        Json.text("{\"properties\":{\"limit\":{\"minimum\":1000}},\"required\":[\"limit\"]}");
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(pay)
            .rules(ToolRule.consentWhen("pay", when))
            .time(time)
            .build();
    ToolCall silent = ToolCall.of("a", "pay", "{\"amount\":5}");
    ToolCall small = ToolCall.of("b", "pay", "{\"amount\":5,\"limit\":10}");
    assertThat(executor.submitAll(List.of(silent, small), session))
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(CallStep.Pending.class),
            second -> assertThat(second).isInstanceOf(CallStep.Settled.class));
  }

  @Test
  void paddingHidesNothing() {
    ToolExecutor executor = executor(DEAR_ITEM);
    for (int padding : List.of(0, 1_000, 200_000)) {
      String items = "{\"items\":[{\"price\":5000}" + ",{\"price\":1}".repeat(padding) + "]}";
      assertThat(asks(executor, items)).as("behind %d items", padding).isTrue();
    }
  }

  @Test
  void manyHonestItemsAskNoOne() {
    String items = "{\"items\":[{\"price\":1}" + ",{\"price\":1}".repeat(20_000) + "]}";
    assertThat(asks(executor(DEAR_ITEM), items)).isFalse();
  }

  @Test
  void aConditionMayReferToDefinitionsOfItsOwn() {
    ToolExecutor executor =
        executor(
            "{\"properties\":{\"p\":{\"$ref\":\"#/$defs/dear\"}},\"required\":[\"p\"],"
                + "\"$defs\":{\"dear\":{\"minimum\":1000},\"text\":{\"const\":{\"$ref\":\"#/x\"}}}}");
    assertThat(asks(executor, "{\"p\":1000}")).isTrue();
    assertThat(asks(executor, "{\"p\":999}")).isFalse();
  }

  @Test
  void aConditionMayReferToItself() {
    ToolExecutor executor =
        executor(
            "{\"anyOf\":[{\"properties\":{\"dear\":{\"const\":true}},\"required\":[\"dear\"]},"
                + "{\"properties\":{\"in\":{\"items\":{\"$ref\":\"#\"},\"minItems\":1}},"
                + "\"required\":[\"in\"]}]}");
    assertThat(asks(executor, "{\"in\":[{\"in\":[{\"dear\":true}]}]}")).isTrue();
    assertThat(asks(executor, "{\"in\":[{\"in\":[{\"dear\":false}]}]}")).isFalse();
  }

  @Test
  void aConditionSeesWhatTheHandlerGets() {
    Tool beat =
        Tool.dynamic(
                "order",
                "{\"type\":\"object\",\"properties\":{\"request_heartbeat\":{\"type\":\"boolean\"}}}")
            .mode(ToolMode.EXTERNAL)
            .handler(arguments -> "done");
    Json when =
        Json.text(
            "{\"properties\":{\"request_heartbeat\":{\"const\":true}},"
                + "\"required\":[\"request_heartbeat\"]}");
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(beat)
            .rules(ToolRule.consentWhen("order", when))
            .time(time)
            .build();
    assertThat(asks(executor, "{\"request_heartbeat\":true}")).isTrue();
    assertThat(asks(executor, "{\"request_heartbeat\":false}")).isFalse();
  }

  @Test
  void aToolThatCannotTellWhetherItHasToAskAsks() {
    for (RuntimeException thrown :
        List.of(
            ToolException.permanent("no such account"),
            new ToolException("the accounts cannot be read"),
            new IllegalStateException("broken"))) {
      Tool order =
          Tool.dynamic("order", "{\"type\":\"object\"}")
              .mode(ToolMode.EXTERNAL)
              .asksWhen((arguments, services) -> {
                throw thrown;
              })
              .handler(arguments -> "done");
      assertThat(asks(ToolExecutor.builder().tools(order).time(time).build(), "{}")).isTrue();
    }
  }

  @Test
  void aToolThatWasReplacedMeanwhileAsksAsItSaysItself() {
    Tool tame = Tool.dynamic("order").mode(ToolMode.EXTERNAL).inline().handler(arguments -> "tame");
    Tool wild = Tool.dynamic("order").mode(ToolMode.LOCAL).inline().handler(arguments -> "wild");
    ToolExecutor executor = ToolExecutor.builder().tools(tame).time(time).build();
    assertThat(asks(executor, "{}")).isFalse();
    executor.tools().replace(wild);
    assertThat(asks(executor, "{}")).isTrue();
    executor.tools().replace(tame);
    assertThat(asks(executor, "{}")).isFalse();
  }
}
