package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.model.Message;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RememberingAgentTest {
  private final ScriptedModel model = new ScriptedModel();
  private final InProcessMemory memory = new InProcessMemory();
  private final List<Event> events = new ArrayList<>();

  private AgentBuilder agent(Block... blocks) {
    return Agent.builder("Concierge")
        .model(model)
        .memory(memory)
        .blocks(List.of(blocks))
        .builtIns("block", "recall", "search", "send_message");
  }

  private static Block block(String label) {
    return Block.of("Concierge", label, Block.Kind.CORE);
  }

  private String system() {
    return ((Message.System) model.lastRequest().messages().getFirst()).text();
  }

  private String lastResult() {
    return ((Message.Result) model.lastRequest().messages().getLast()).text();
  }

  @Test
  void remembersAGuestInTheNextConversation() {
    model
        .calls("block", "{\"operation\":\"append\",\"label\":\"guest\",\"content\":\"Name: Ada\"}")
        .says("Noted.")
        .says("Hello Ada.");
    Agent agent = agent(block("guest").withDescription("Who calls")).build();

    agent.conversation("1").say("I am Ada");
    assertThat(agent.conversation("2").say("Hi")).isEqualTo(new Turn.Reply("Hello Ada."));

    assertThat(system()).contains("<block label=\"guest\"", "Name: Ada");
  }

  @Test
  void keepsBlocksThatItKnows() {
    model.says("a").says("b");
    agent(block("guest").withValue("first")).build().conversation("1").say("Hi");
    agent(block("guest").withValue("second")).build().conversation("2").say("Hi");

    assertThat(system()).contains("first").doesNotContain("second");
  }

  @Test
  void asksThePersonBeforeItChangesWhatIsTheirs() {
    model
        .calls("block", "{\"operation\":\"append\",\"label\":\"mine\",\"content\":\"x\"}")
        .says("Done.");
    Agent agent = agent(block("mine").withPermission(Permission.HUMAN)).build();

    Turn.Pending pending = (Turn.Pending) agent.conversation("1").say("Write it down");
    assertThat(memory.block("Concierge", "mine").value()).isEmpty();
    agent.conversation("1").answer(pending.requests().getFirst(), Answer.approveOnce());

    assertThat(memory.block("Concierge", "mine").value()).isEqualTo("x");
  }

  @Test
  void tellsTheModelWhyAnEditIsRefused() {
    model
        .calls("block", "{\"operation\":\"append\",\"label\":\"small\",\"content\":\"too long\"}")
        .says("Sorry.")
        .calls("block", "{\"operation\":\"append\",\"label\":\"smal\",\"content\":\"x\"}")
        .says("Sorry.");
    Agent agent = agent(block("small").withCharLimit(3)).build();

    agent.conversation("1").say("Write it down");
    assertThat(lastResult()).contains("limited to 3 characters", "has 0 now", "would have 8");
    agent.conversation("1").say("And now");
    assertThat(lastResult()).contains("'smal' was not found", "Did you mean 'small'?");
  }

  @Test
  void findsWhatItStoredAndWhatWasSaid() {
    model
        .calls(
            "recall",
            "{\"operation\":\"insert\",\"label\":\"diet\",\"content\":\"Ada eats no meat\"}")
        .says("Noted.")
        .calls("search", "{\"query\":\"meat\"}")
        .says("Ada eats no meat.");
    Agent agent = agent().build();
    agent.conversation("1").say("Ada eats no meat");

    agent.conversation("2").say("What about Ada?");

    assertThat(lastResult())
        .contains("\"domain\":\"archival_memory\"", "\"domain\":\"conversations\"", "\"total\":");
  }

  @Test
  void endsWithTheMessageThatItSends() {
    model.calls(
        "send_message", "{\"target\":{\"type\":\"user\"},\"content\":\"Your table waits\"}");
    Agent agent = agent().build();

    agent.conversation("1").say("Tell me when", events::add);

    assertThat(events).contains(new Event.Content("Your table waits"));
    assertThat(events.getLast().json().text()).contains("tool_rule");
  }

  @Test
  void goesOnWhereAMessageHasNoSuchTarget() {
    model
        .calls("send_message", "{\"target\":{\"type\":\"agent\",\"id\":\"x\"},\"content\":\"Hi\"}")
        .says("There is nobody.");

    assertThat(agent().build().conversation("1").say("Tell x"))
        .isEqualTo(new Turn.Reply("There is nobody."));
    assertThat(lastResult()).contains("invalid_arguments", "/target/type");
  }

  @Test
  void aMessageToAnotherUserIsRefusedWithTheRemedy() {
    model
        .calls(
            "send_message", "{\"target\":{\"type\":\"user\",\"id\":\"other\"},\"content\":\"Hi\"}")
        .says("That user is not here.");

    agent().build().conversation("1").say("Tell other", events::add);

    assertThat(lastResult())
        .contains("invalid_arguments", "/target/id", "leave out the id")
        .doesNotContain("fallback");
    assertThat(events).doesNotContain(new Event.Content("Hi"));
  }

  @Test
  void aMessageThatNoOneListensForIsNotDelivered() {
    model
        .calls("send_message", "{\"target\":{\"type\":\"user\"},\"content\":\"It waits\"}")
        .says("Your table waits.");

    assertThat(agent().build().conversation("1").say("Tell me when"))
        .isEqualTo(new Turn.Reply("Your table waits."));
    assertThat(lastResult()).contains("was not delivered", "no one listens");
  }

  @Test
  void aForgottenConversationLeavesItsIdToTheNext() {
    Agent agent = agent().build();
    for (String word : List.of("first", "second")) {
      model
          .calls(
              "recall",
              "{\"operation\":\"insert\",\"label\":\"l\",\"content\":\"a %s fact\"}"
                  .formatted(word))
          .says("Noted.");
      try (Conversation conversation = agent.conversation("c")) {
        assertThat(conversation.say("the " + word + " words").text()).isEqualTo("Noted.");
      }
    }

    MemoryQuery query = MemoryQuery.of("Concierge", "second", "archival_memory", "conversations");
    assertThat(memory.search(query).hits())
        .extracting(hit -> hit.entry().text())
        .contains("a second fact", "the second words");
    assertThat(memory.search(query.withLabel("c").withRole("user")).total()).isEqualTo(1);
  }
}
