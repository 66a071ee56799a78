package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConversationOptionsTest {
  private final List<ExecutionListener.CallRecord> records = new ArrayList<>();
  private final List<ToolResult> results = new ArrayList<>();

  private static Tool answering(String name, String words) {
    return Tool.dynamic(name).handler(arguments -> words);
  }

  private Agent agent(ScriptedModel model, ToolRule... rules) {
    Tool seen =
        Tool.dynamic("get_caller")
            .handler((arguments, context) ->
                context.caller() + " " + context.callee() + " " + context.attributes());
    return Agent.builder("desk")
        .model(model)
        .tools(seen)
        .rules(rules)
        .listener(
            new ExecutionListener() {
              @Override
              public void settled(ExecutionListener.CallRecord call) {
                records.add(call);
              }
            })
        .build();
  }

  private void say(Agent agent, String id, ConversationOptions options) {
    try (Conversation talk = agent.conversation(id, options)) {
      Turn unused =
          talk.say(
              "Go",
              event -> {
                if (event instanceof Event.ToolSettled settled) {
                  results.add(settled.result());
                }
              });
    }
  }

  @Test
  void handlersAndListenersSeeWhoCallsAndTheAttributes() {
    Agent agent = agent(new ScriptedModel().calls("get_caller", "{}").says("Done."));
    say(
        agent,
        "c",
        ConversationOptions.NONE
            .withCaller("+15550001234")
            .withCallee("+15550005678")
            .withAttribute("tenant", "acme"));
    assertThat(results.getFirst().text()).isEqualTo("+15550001234 +15550005678 {tenant=acme}");
    assertThat(records.getFirst().attributes()).isEqualTo(Map.of("tenant", "acme"));
  }

  @Test
  void aToolOfOneConversationIsOfferedAndCalledThereAlone() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("hang_up", "{}")
            .says("Bye.")
            .calls("hang_up", "{}")
            .says("I cannot.");
    Agent agent = agent(model);
    ConversationOptions own = ConversationOptions.NONE.withTools(answering("hang_up", "gone"));

    say(agent, "phone", own);
    say(agent, "chat", ConversationOptions.NONE);

    assertThat(results.get(0).text()).isEqualTo("gone");
    assertThat(results.get(1).code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
    assertThat(model.requests().getFirst().tools())
        .extracting(ToolDefinition::name)
        .containsExactly("get_caller", "hang_up");
    assertThat(model.requests().getLast().tools())
        .extracting(ToolDefinition::name)
        .containsExactly("get_caller");
  }

  @Test
  void isHeldToItsOwnRulesAndToThoseOfTheAgentForAllTools() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("hang_up", "{}")
            .calls("get_caller", "{}")
            .calls("hang_up", "{}")
            .calls("hang_up", "{\"again\":true}")
            .says("Bye.");
    Agent agent = agent(model, ToolRule.maxCalls(ToolRule.ANY, 1));
    Tool ruled =
        Tool.dynamic("hang_up")
            .rules(new RuleType.RequiresPreceding(List.of("get_caller")))
            .handler(arguments -> "gone");

    say(agent, "c", ConversationOptions.NONE.withTools(ruled));

    assertThat(results)
        .extracting(ToolResult::violation)
        .containsExactly("PREREQUISITES_NOT_MET", null, null, "MAX_CALLS_EXCEEDED");
  }

  @Test
  void aToolOfTheAgentWinsOverOneOfTheSameName() {
    Agent agent = agent(new ScriptedModel().calls("get_caller", "{}").says("Done."));
    say(agent, "c", ConversationOptions.NONE.withTools(answering("get_caller", "another")));
    assertThat(results.getFirst().text()).isEqualTo("null null {}");
  }

  @Test
  void twoToolsOfOneNameAreRefused() {
    Agent agent = agent(new ScriptedModel());
    ConversationOptions twice =
        ConversationOptions.NONE.withTools(answering("a", "1"), answering("a", "2"));
    assertThatThrownBy(() -> agent.conversation("c", twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two tools are called 'a'");
  }
}
