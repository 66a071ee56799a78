package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolCall;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The check of rules that tools bring themselves, when an executor is built.
class OwnRulesTest {
  private static final Json OPERATIONS =
      Json.text("{\"type\":\"object\",\"properties\":{\"op\":{\"enum\":[\"read\",\"write\"]}}}");

  private static Tool tool(String name, RuleType... rules) {
    return Tool.dynamic(name, OPERATIONS).rules(rules).handler(arguments -> "ok");
  }

  private static ToolExecutor executor(List<ToolRule> rules, Tool... tools) {
    return ToolExecutor.builder().tools(tools).rules(rules).build();
  }

  @Test
  void faultsOfThemAreFaultsOfTheExecutor() {
    assertThatThrownBy(() ->
            executor(
                List.of(),
                tool("a", new RuleType.RequiresPreceding(List.of("lod"))),
                tool("b", new RuleType.AllowedOperations(List.of("raed")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names 'lod', but no tool has that name")
        .hasMessageContaining("names the operation 'raed'")
        .hasMessageContaining("did you mean 'read'?");
  }

  @Test
  void theyMayNotContradictTheAgentsOrOneAnother() {
    Tool a = tool("a", new RuleType.RequiresPreceding(List.of("b")));
    Tool b = tool("b", new RuleType.RequiresPreceding(List.of("a")));
    assertThatThrownBy(() -> executor(List.of(), a, b)).hasMessageContaining("'a'", "'b'");
    assertThatThrownBy(() -> executor(List.of(ToolRule.after("b", "a")), a, tool("b")))
        .hasMessageContaining("'a'");
    assertThatThrownBy(() ->
            executor(List.of(), tool("e", new RuleType.ExitLoop(), new RuleType.ContinueLoop())))
        .hasMessageContaining("ExitLoop");
  }

  @Test
  void oneThatTheAgentReplacesIsNotChecked() {
    Tool tool = tool("b", new RuleType.AllowedOperations(List.of("raed")));
    try (ToolExecutor executor = executor(List.of(ToolRule.allowedOperations("b", "read")), tool)) {
      assertThat(executor.execute(ToolCall.of("b", Json.text("{\"op\":\"read\"}"))).success())
          .isTrue();
    }
  }
}
