package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.handler.Tool;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.Message;
import dev.switchboard.testing.ScriptedModel;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an agent makes of memory that is away, refuses, or finds too much.
class MemoryInTroubleTest {
  private final ScriptedModel model = new ScriptedModel();
  private final InProcessMemory memory = new InProcessMemory();

  private String lastResult() {
    return ((Message.Result) model.lastRequest().messages().getLast()).text();
  }

  @Test
  void theConversationGoesOnWithoutMemoryAndTheModelIsTold() {
    MemoryStore away =
        (MemoryStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {MemoryStore.class},
                (proxy, method, arguments) -> {
                  throw new IllegalStateException("away");
                });
    Agent agent = Agent.builder("Concierge").model(model.says("Hello")).memory(away).build();

    assertThat(agent.conversation("1").say("Hi")).isEqualTo(new Turn.Reply("Hello"));
    assertThat(((Message.System) model.lastRequest().messages().getFirst()).text())
        .contains("Your memory cannot be read at the moment.");
  }

  @Test
  void whatMemoryRefusesAHandlerIsToldAsItIs() {
    Tool note =
        Tool.dynamic("note")
            .handler((arguments, context) ->
                context.services().memory().append("guest", "too long").value());
    Agent agent =
        Agent.builder("Concierge")
            .model(model.calls("note", "{}").says("Sorry"))
            .blocks(List.of(Block.of("Concierge", "guest", Block.Kind.CORE).withCharLimit(3)))
            .tools(note)
            .build();

    assertThat(agent.conversation("1").say("Hi")).isEqualTo(new Turn.Reply("Sorry"));
    assertThat(lastResult())
        .contains("Block 'guest' is limited to 3 characters: it has 0 now and would have 8.")
        .doesNotContain("internal error", "attempts");
  }

  @Test
  void aSearchDoesNotFindWhatSearchesHaveFound() {
    Tool tables = Tool.dynamic("tables").handler(arguments -> "nuts at T4");
    Agent agent =
        Agent.builder("Concierge")
            .model(model)
            .memory(memory)
            .builtIns("search", "recall")
            .tools(tables)
            .build();
    Conversation talk = agent.conversation("1");
    for (int i = 0; i < 4; i++) {
      model.calls("search", "{\"query\":\"nuts\"}").says("ok");
      assertThat(talk.say("Any nuts?")).isEqualTo(new Turn.Reply("ok"));
    }
    model.calls("tables", "{}").says("ok");
    assertThat(talk.say("A table")).isEqualTo(new Turn.Reply("ok"));

    assertThat(
            memory.search(MemoryQuery.of("Concierge", "", "conversations").withRole("tool")).hits())
        .singleElement()
        .satisfies(hit -> assertThat(hit.entry().text()).contains("nuts at T4"));
  }

  @Test
  void aLongTextIsShownByItsBeginningUntilItIsRead() {
    Agent agent =
        Agent.builder("Concierge").model(model).memory(memory).builtIns("search", "recall").build();
    String text = "nuts " + "🍕".repeat(5_000);
    model
        .calls(
            "recall", "{\"operation\":\"insert\",\"label\":\"long\",\"content\":\"" + text + "\"}")
        .calls("search", "{\"query\":\"nuts\",\"domain\":\"archival_memory\"}")
        .says("ok")
        .calls("recall", "{\"operation\":\"read\",\"label\":\"long\"}")
        .says("ok");

    assertThat(agent.conversation("1").say("Hi")).isEqualTo(new Turn.Reply("ok"));
    assertThat(lastResult()).contains("🍕 ... (3005 characters more)").hasSizeLessThan(5_000);
    assertThat(agent.conversation("1").say("Hi")).isEqualTo(new Turn.Reply("ok"));
    assertThat(lastResult()).contains(text);
  }

  @Test
  void blocksOfAnotherAgentAreRefused() {
    assertThatThrownBy(() ->
            Agent.builder("Concierge").blocks(List.of(Block.of("Waiter", "g", Block.Kind.CORE))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("block 'g' is of agent 'Waiter', not of 'Concierge'");
  }
}
