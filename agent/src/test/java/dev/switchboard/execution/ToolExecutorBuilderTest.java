package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import org.junit.jupiter.api.Test;

class ToolExecutorBuilderTest {
  private static Tool tool(String name) {
    return Tool.dynamic(name).handler(arguments -> "done");
  }

  @Test
  void everyFaultOfToolsAndRulesIsReportedAtOnce() {
    AgentBuilder agent =
        Agent.builder("desk")
            .model(new ScriptedModel())
            .tools(tool("a"), tool("a"), tool("b"), tool("b"), tool("b"))
            .rules(ToolRule.maxCalls("c", 3));

    assertThatThrownBy(agent::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "tool 'a' is defined twice\ntool 'b' is defined twice\nMaxCalls is for 'c', but .*");
  }
}
