package dev.switchboard.ruling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ToolCall;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Schemas with the operations left that rules allow.
class OperationSchemaTest {
  private static final String ENUM =
      """
      {"type":"object","properties":{"op":{"enum":["read","append","delete"],"default":"delete"},"path":{"type":"string"}}}\
      """;

  private static Json narrowed(Json schema, String... operations) {
    return narrowed(schema, Map.of(), operations);
  }

  private static Json narrowed(
      Json schema, Map<String, OperationArgument> keys, String... operations) {
    ToolRule rule = ToolRule.allowedOperations("file", operations);
    return RuleSet.of(List.of(rule), List.of(), keys).checks("file").narrowed(schema);
  }

  private static JsonNode narrowed(String schema, String... operations) {
    return narrowed(Json.text(schema), operations).tree();
  }

  private static JsonNode json(String text) {
    return Json.text(text).tree();
  }

  @Test
  void leavesTheAllowedOfAnEnumAndNoDefaultThatIsGone() {
    assertThat(narrowed(ENUM, "read", "append"))
        .isEqualTo(
            json(
                """
                {"type":"object","properties":{"op":{"enum":["read","append"]},"path":{"type":"string"}}}\
                """));
    assertThat(narrowed(ENUM, "delete").at("/properties/op/default").isString()).isTrue();
  }

  private sealed interface Op {}

  @SuppressWarnings("UnusedNestedClass") // found by its sealed interface
  private record Append(String content) implements Op {}

  @SuppressWarnings("UnusedNestedClass") // found by its sealed interface
  private record Replace(String old) implements Op {}

  private record Block(Op operation, String label) {}

  @Test
  void readsTheTagOfAnOperationWithMembersOfItsOwn() {
    ToolRule rule = ToolRule.allowedOperations("w", "append");
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(Tool.typed("w", Block.class).handler(block -> "ran"))
            .rules(rule)
            .build();
    assertThat(executor.execute(ToolCall.of("w", operation("append", "content"))).text())
        .isEqualTo("ran");
    assertThat(executor.execute(ToolCall.of("w", operation("replace", "old"))).error())
        .contains("operation 'replace' is not allowed, use one of ['append']");
    Json schema = ParameterSchema.of("w", Block.class, false).json();
    JsonNode left =
        RuleSet.of(List.of(rule), List.of(), Map.of()).checks("w").narrowed(schema).tree();
    assertThat(left.at("/properties/operation/oneOf").size()).isEqualTo(1);
    assertThat(left.at("/properties/operation/oneOf/0/properties/type/const").stringValue())
        .isEqualTo("append");
  }

  private static String operation(String word, String member) {
    return "{\"operation\":{\"type\":\"%s\",\"%s\":\"c\"},\"label\":\"x\"}".formatted(word, member);
  }

  @Test
  void endsForSchemasThatDoubleOnEachLevel() {
    StringBuilder levels = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      levels.append(
          "\"a%d\":{\"anyOf\":[{\"$ref\":\"#/$defs/a%d\"},{\"$ref\":\"#/$defs/a%d\"}]},"
              .formatted(i, i + 1, i + 1));
    }
    Json schema =
        Json.text(
            "{\"type\":\"object\",\"properties\":{\"op\":{\"$ref\":\"#/$defs/a0\"}},\"$defs\":{"
                + levels
                + "\"a60\":{\"enum\":[\"read\",\"delete\"]}}}");
    assertThat(narrowed(schema, "read")).isSameAs(schema);
  }

  @Test
  void givesTheVerySameWhereNothingChanges() {
    Json schema = Json.text(ENUM);
    assertThat(narrowed(schema, "read", "append", "delete")).isSameAs(schema);
    Json other = Json.text("{\"properties\":{\"other\":{\"enum\":[\"a\"]}}}");
    assertThat(narrowed(other, "read")).isSameAs(other);
    assertThat(RuleSet.NONE.checks("file").narrowed(schema)).isSameAs(schema);
  }

  @Test
  void acceptsNothingWhereNoOperationIsLeft() {
    ParameterSchema schema =
        ParameterSchema.parse("file", narrowed(Json.text(ENUM), "move"), false);
    assertThat(schema.check(Json.EMPTY_OBJECT))
        .isInstanceOf(dev.switchboard.check.Checked.Refused.class);
  }

  @Test
  void narrowsAlternativesOfConstants() {
    for (String keyword : List.of("oneOf", "anyOf")) {
      String schema =
          "{\"properties\":{\"operation\":{\"%s\":[{\"const\":\"read\",\"description\":\"R\"},{\"const\":\"write\"}]}}}"
              .formatted(keyword);
      assertThat(narrowed(schema, "read").at("/properties/operation/" + keyword))
          .isEqualTo(json("[{\"const\":\"read\",\"description\":\"R\"}]"));
    }
  }

  @Test
  void keepsThatAnOperationMayBeLeftOut() {
    String nullable =
        """
        {"properties":{"op":{"anyOf":[{"enum":["read","write"]},{"type":"null"}]}}}\
        """;
    assertThat(narrowed(nullable, "read").at("/properties/op/anyOf"))
        .isEqualTo(json("[{\"enum\":[\"read\"]},{\"type\":\"null\"}]"));
    assertThat(narrowed(nullable, "move").has("not")).isTrue();
    assertThat(
            narrowed("{\"properties\":{\"op\":{\"enum\":[\"read\",\"x\",null]}}}", "read")
                .at("/properties/op/enum"))
        .isEqualTo(json("[\"read\",null]"));
  }

  @Test
  void bindsAnOperationThatMayBeAnyText() {
    assertThat(narrowed("{\"properties\":{\"op\":{\"type\":\"string\"}}}", "read", "append"))
        .isEqualTo(
            json(
                """
                {"properties":{"op":{"type":"string","enum":["read","append"]}}}\
                """));
  }

  @Test
  void dropsWholeBranchesThatAConstantTellsApart() {
    String schema =
        """
        {"type":"object","oneOf":[
          {"properties":{"op":{"const":"read"},"path":{"type":"string"}}},
          {"$ref":"#/$defs/Delete"},
          {"$ref":"#/$defs/Append"}],
         "$defs":{
          "Delete":{"properties":{"op":{"const":"delete"},"what":{"$ref":"#/$defs/What"}}},
          "What":{"type":"string"},
          "Append":{"properties":{"op":{"const":"append"}}}}}\
        """;
    JsonNode left = narrowed(schema, "read", "append");

    assertThat(left.path("oneOf")).hasSize(2);
    assertThat(left.toString()).doesNotContain("delete", "What");
    assertThat(left.at("/$defs/Append")).isNotEmpty();
    assertThat(narrowed(schema, "read").has("$defs")).isFalse();
  }

  @Test
  void followsReferencesAndLeavesWhatOthersReferToo() {
    String schema =
        """
        {"properties":{"op":{"$ref":"#/$defs/Op","description":"What to do"},"last":{"$ref":"#/$defs/Op"}},
         "$defs":{"Op":{"enum":["read","delete"]}}}\
        """;
    JsonNode left = narrowed(schema, "read");

    assertThat(left.at("/properties/op"))
        .isEqualTo(json("{\"enum\":[\"read\"],\"description\":\"What to do\"}"));
    assertThat(left.at("/$defs/Op/enum")).hasSize(2);
  }

  @Test
  void readsTheMemberThatTheToolStates() {
    Json schema = Json.text("{\"properties\":{\"verb\":{\"enum\":[\"get\",\"put\"]}}}");
    assertThat(narrowed(schema, "get")).isSameAs(schema);
    assertThat(
            narrowed(
                    schema, Map.of("file", new OperationArgument(List.of("verb"), Map.of())), "get")
                .tree()
                .at("/properties/verb/enum"))
        .hasSize(1);
  }

  sealed interface Edit {
    record Append(String text) implements Edit {}

    record Delete(String text) implements Edit {}
  }

  @Test
  void narrowsTypedToolsByTheirTag() {
    Json schema = ParameterSchema.of("file", Edit.class, false).json();
    Json left =
        narrowed(
            schema, Map.of("file", new OperationArgument(List.of("type"), Map.of())), "append");

    assertThat(left.text()).contains("append").doesNotContain("delete");
    assertThat(ParameterSchema.faultsOf("file", left, false)).isEmpty();
  }
}
