package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.Default;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls that leave out the operation, of a tool with a default, under a rule about operations.
class DefaultOperationTest {
  private enum Op {
    READ,
    WRITE
  }

  private record Typed(@Default("WRITE") Op op, String path) {}

  private static ToolResult call(Tool tool, String arguments) {
    try (ToolExecutor executor =
        ToolExecutor.builder()
            .tools(tool)
            .rules(
                ToolRule.allowedOperations(tool.name(), tool.name().equals("t") ? "READ" : "read"))
            .build()) {
      return executor.execute(ToolCall.of(tool.name(), Json.text(arguments)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"path\":\"p\"}", "{\"op\":\"WRITE\",\"path\":\"p\"}"})
  void aForbiddenDefaultIsRefusedAsIfItWereStated(String arguments) {
    Tool tool = Tool.typed("t", Typed.class).handler(Typed::op);
    assertThat(call(tool, arguments).text())
        .contains("operation 'WRITE' is not allowed, use one of ['READ']");
    assertThat(call(tool, "{\"op\":\"READ\",\"path\":\"p\"}").success()).isTrue();
  }

  private static Tool dynamic(String op) {
    String schema =
        """
        {"type":"object","$defs":{"o":{"type":"string","default":"write"}},"properties":{"op":%s}}\
        """
            .formatted(op);
    return Tool.dynamic("d", schema).handler(arguments -> arguments);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"enum\":[\"read\",\"write\"],\"default\":\"write\"}",
        "{\"$ref\":\"#/$defs/o\"}",
        "{\"$ref\":\"#/$defs/o\",\"default\":\"erase\"}",
        "{\"type\":\"string\",\"default\":\"write\"}"
      })
  void aForbiddenDefaultOfASchemaIsRefused(String op) {
    assertThat(call(dynamic(op), "{}").text()).contains("is not allowed, use one of ['read']");
    assertThat(call(dynamic(op), "").text()).contains("is not allowed, use one of ['read']");
    assertThat(call(dynamic(op), "{\"op\":\"read\"}").success()).isTrue();
  }

  @Test
  void anAllowedDefaultAndNoneAtAllRun() {
    assertThat(
            call(dynamic("{\"enum\":[\"read\",\"write\"],\"default\":\"read\"}"), "{}").success())
        .isTrue();
    assertThat(call(dynamic("{\"enum\":[\"read\",\"write\"]}"), "{}").success()).isTrue();
  }

  @Test
  void nullIsNotAnOperation() {
    Tool tool = dynamic("{\"type\":[\"string\",\"null\"],\"enum\":[\"read\",\"write\",null]}");
    assertThat(call(tool, "{\"op\":null}").success()).isTrue();
    assertThat(call(tool, "{\"op\":\"write\"}").success()).isFalse();
  }
}
