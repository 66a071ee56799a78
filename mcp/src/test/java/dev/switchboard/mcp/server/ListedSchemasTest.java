package dev.switchboard.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// The schemas that an MCP client reads: clients that check them refuse all tools for one.
class ListedSchemasTest {
  private static JsonNode listed(Tool tool) throws Exception {
    String narrowed =
        "{'type':'object','properties':{'operation':{'enum':['read','write']}},'required':null}";
    try (Agent agent =
            Agent.builder("shop")
                .tools(tool, foreign("narrowed", narrowed))
                .rules(ToolRule.allowedOperations("narrowed", "read"))
                .build();
        LineClient client = new LineClient(agent)) {
      client.initialize("2025-11-25", "{}");
      return client.ask("tools/list", "{}").at("/result/tools");
    }
  }

  private static Tool foreign(String name, String schema) {
    return Tool.dynamic(name, Json.text(schema.replace('\'', '"')))
        .foreign(sentence -> {})
        .handler(arguments -> "done");
  }

  /// Fails unless the official clients take it.
  private static void isTaken(JsonNode schema) {
    assertThat(schema.path("type").asString("")).as(schema.toString()).isEqualTo("object");
    assertThat(schema.has("properties") && !schema.path("properties").isObject()).isFalse();
    assertThat(schema.path("properties")).as(schema.toString()).allMatch(JsonNode::isObject);
    assertThat(schema.has("required") && !schema.path("required").isArray()).isFalse();
    assertThat(schema.path("required")).allMatch(JsonNode::isString);
    assertThat(schema.has("$defs") && !schema.path("$defs").isObject()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'object','properties':{'a':{'type':'string'}},'required':null}",
        "{'type':'object','properties':null}",
        "{'type':'object','properties':[],'required':{}}",
        "{'type':'object','properties':{'a':true,'b':false,'c':null},'required':[1,'a']}",
        "{'type':'object','properties':{},'$defs':null,'definitions':5}",
        "{'type':['object','null']}",
        "{'type':'Object','required':'a'}",
        "{'$schema':'http://json-schema.org/draft-07/schema#','$ref':'#/definitions/F','definitions':{'F':{'type':'object'}}}",
        "{'$ref':'#/definitions/None'}",
        "{}",
        "true",
        "[]",
        "null"
      })
  void ofOthersAreValid(String schema) throws Exception {
    JsonNode tools = listed(foreign("broken", schema));
    assertThat(tools).hasSize(3);
    tools.forEach(tool -> isTaken(tool.path("inputSchema")));
    assertThat(tools.get(1).at("/inputSchema/properties/operation/enum")).hasSize(1);
  }

  @Test
  void keepTheNamesAndAlternativesThatAreStated() throws Exception {
    JsonNode schema =
        listed(
                foreign(
                    "odd",
                    "{'type':'object','properties':{'a"
                        + " b':{'type':'string'}},'required':null,'oneOf':[{'required':['a b']}]}"))
            .get(0)
            .path("inputSchema");

    assertThat(schema.path("properties").propertyNames()).containsExactly("a b");
    assertThat(schema.path("oneOf")).hasSize(1);
  }

  @Test
  void ofOurOwnHaveObjectsForProperties() throws Exception {
    Tool own =
        Tool.dynamic("own", "{\"type\":\"object\",\"properties\":{\"a\":true,\"b\":false}}")
            .handler(arguments -> "done");
    isTaken(listed(own).get(0).path("inputSchema"));
  }
}
