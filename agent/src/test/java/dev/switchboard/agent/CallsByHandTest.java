package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Calls that a person makes in a conversation, and not the model.
class CallsByHandTest {
  private final ScriptedModel model = new ScriptedModel();
  private final InProcessConversations store = new InProcessConversations();
  private final List<Event> events = new ArrayList<>();

  @Test
  void goThroughTheDoorAndAreShown() {
    Turn turn = agent(note()).conversation("c").call(ToolCall.of("c1", "note", "{}"), events::add);

    assertThat(turn).isEqualTo(new Turn.Reply("Noted."));
    assertThat(events).hasSize(2);
    assertThat(events.getFirst()).isInstanceOf(Event.ToolCalled.class);
    assertThat(events.getLast()).isInstanceOf(Event.ToolSettled.class);
  }

  @Test
  void modelReadsManualCallsAfterReopening() {
    model.says("Hi.").says("I see.");
    Agent agent = agent(note());
    try (Conversation conversation = agent.conversation("c")) {
      conversation.say("Hello");
      Turn unused = conversation.call(ToolCall.of("c1", "note", "{}"), events::add);
    }

    Turn turn = agent(note()).conversation("c").say("Well?");

    assertThat(turn).isEqualTo(new Turn.Reply("I see."));
    assertThat(model.lastRequest().messages().toString())
        .containsSubsequence("Hi.", "name=note", "Noted.", "Well?");
  }

  @Test
  void areCountedByTheRulesOfTheConversation() {
    Agent agent = agent(note(), ToolRule.maxCalls("note", 1));
    Conversation conversation = agent.conversation("c");
    Turn first = conversation.call(ToolCall.of("c1", "note", "{}"), events::add);
    Turn second = conversation.call(ToolCall.of("c2", "note", "{}"), events::add);

    assertThat(first).isEqualTo(new Turn.Reply("Noted."));
    assertThat(second).isEqualTo(new Turn.Reply(""));
    assertThat(((Event.ToolSettled) events.getLast()).result().success()).isFalse();
  }

  @Test
  void areTurnsOfTheirOwn() {
    ToolRule ofTurn = ToolRule.maxCalls("note", 1).scope(ToolRule.Scope.TURN);
    Conversation conversation = agent(note(), ofTurn).conversation("c");
    for (int i = 0; i < 6; i++) {
      Turn turn = conversation.call(ToolCall.of("c" + i, "note", "{}"), events::add);
      assertThat(turn).isEqualTo(new Turn.Reply("Noted."));
    }
  }

  @Test
  void waitForAPersonWhereARuleAsks() {
    model.says("I see.");
    Agent agent = agent(note(), ToolRule.consent("note"));
    Conversation conversation = agent.conversation("c");

    Turn asked = conversation.call(ToolCall.of("c1", "note", "{}"), events::add);

    assertThat(asked).isInstanceOf(Turn.Pending.class);
    assertThat(conversation.answer("c1", Answer.approveOnce())).isEqualTo(new Turn.Reply("Noted."));
    assertThat(conversation.waiting()).isEmpty();
    Turn unused = conversation.say("Well?");
    assertThat(model.lastRequest().messages().toString()).contains("Noted.");
  }

  @Test
  void doNotGoBetweenAQuestionAndItsAnswer() {
    model.calls("note", "{}");
    Conversation conversation = agent(note(), ToolRule.consent("note")).conversation("c");
    Turn pending = conversation.say("Note it.");

    assertThat(pending).isInstanceOf(Turn.Pending.class);
    assertThatThrownBy(() -> conversation.call(ToolCall.of("x", "note", "{}"), events::add))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a call waits for an answer first");
  }

  private static Tool note() {
    return Tool.dynamic("note")
        .handler(arguments -> ToolResult.ok("Noted.").toBuilder().message("Noted.").build());
  }

  private Agent agent(Tool tool, ToolRule... rules) {
    return Agent.builder("Notes").model(model).tools(tool).rules(rules).store(store).build();
  }
}
