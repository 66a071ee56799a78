package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.ModelReply;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import org.junit.jupiter.api.Test;

/// What a boundary leaves of the notices before it.
class BoundaryTest {
  private final InProcessConversations store = new InProcessConversations();
  private final InProcessMemory memories = new InProcessMemory();
  private final ManualTime time = new ManualTime();
  private final Memory memory = Memory.of(memories, "Desk", time);
  private final ScriptedModel model = ScriptedModel.answering(request -> ModelReply.text("Yes."));

  private void edit(String text) {
    Block edited = memory.overwrite("notes", text, memory.block("notes").block().version());
    assertThat(edited.value()).isEqualTo(text);
  }

  private void say(String... tools) {
    AgentBuilder desk = Agent.builder("Desk").model(model).store(store).memory(memories).time(time);
    for (String tool : tools) {
      desk.tools(Tool.dynamic(tool, "{\"type\":\"object\"}").handler((a, c) -> "done"));
    }
    try (Agent agent = desk.build()) {
      assertThat(agent.conversation("c").say("Go on.")).isEqualTo(new Turn.Reply("Yes."));
    }
  }

  private String sent() {
    return model.lastRequest().messages().toString();
  }

  @Test
  void thePromptHasTheLatestMemoryAndNoNoticeAnOlderOne() {
    Block unused = memory.create(Block.of("Desk", "notes", Block.Kind.CORE).withValue("ONE"));
    say("look");
    edit("TWO");
    say("look");
    assertThat(sent()).contains("ONE", "TWO");
    edit("THREE");
    say("look", "refund");
    assertThat(sent()).contains("THREE").doesNotContain("ONE", "TWO");
    say("look", "refund");
    assertThat(sent()).contains("THREE").doesNotContain("ONE", "TWO");
  }

  @Test
  void aDeletedBlockIsGoneThoughANoticeHadIt() {
    Block unused = memory.create(Block.of("Desk", "notes", Block.Kind.CORE).withValue("ONE"));
    say("look");
    edit("TWO");
    say("look");
    Memory.inHandsOf("Ada", memories, "Desk", time).delete("notes");
    say("look");
    assertThat(sent()).doesNotContain("ONE", "TWO");
    say("look");
    assertThat(sent()).doesNotContain("ONE", "TWO");
  }
}
