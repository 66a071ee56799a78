package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import org.junit.jupiter.api.Test;

/// Models that cannot be made to call a tool are asked to, in words that stay.
class AskedCallsTest {
  /// A model that may always reply in words.
  private record Free(ScriptedModel script) implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      return script.reply(request, stream);
    }

    @Override
    public boolean forcesCalls() {
      return false;
    }
  }

  private final ScriptedModel script = new ScriptedModel();

  private static Tool tool(String name) {
    return Tool.dynamic(name, "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}")
        .handler((arguments, context) -> "done");
  }

  @Test
  void aToolThatHasToBeNextIsNamed() {
    script.calls("first", "{\"n\":1}").calls("left", "{\"n\":1}").says("Done.");
    ToolRule next = ToolRule.next("first", "left", "right");
    try (Agent agent =
        Agent.builder("Desk")
            .model(new Free(script))
            .tools(tool("first"), tool("left"), tool("right"))
            .rules(next)
            .build()) {
      assertThat(agent.conversation("c").say("Go")).isEqualTo(new Turn.Reply("Done."));
    }

    Message.Notice asked = new Message.Notice("Call one of: left, right.");
    assertThat(script.requests().get(0).messages()).doesNotContain(asked);
    assertThat(script.requests().get(1).messages().getLast()).isEqualTo(asked);
    assertThat(script.requests().get(2).messages()).contains(asked);
  }

  @Test
  void aFallbackIsAskedInTheSameWords() {
    ScriptedModel first = new ScriptedModel();
    first.calls("first", "{\"n\":1}").fails(ModelException.Kind.UNAVAILABLE);
    script.calls("left", "{\"n\":1}").says("Done.");
    try (Agent agent =
        Agent.builder("Desk")
            .model(first)
            .fallback(new Free(script))
            .tools(tool("first"), tool("left"), tool("right"))
            .rules(ToolRule.next("first", "left", "right"))
            .build()) {
      assertThat(agent.conversation("c").say("Go")).isEqualTo(new Turn.Reply("Done."));
    }

    assertThat(script.requests().get(0).messages().getLast())
        .isEqualTo(new Message.Notice("Call one of: left, right."));
  }

  @Test
  void theToolOfAStructuredReplyIsNamed() {
    script.calls("final_reply", "{\"n\":2}");
    try (Agent agent =
        Agent.builder("Desk")
            .model(new Free(script))
            .tools(tool("first"))
            .reply(
                Json.text(
                    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"))
            .build()) {
      assertThat(agent.conversation("c").say("Go")).isEqualTo(new Turn.Reply("{\"n\":2}"));
    }

    assertThat(script.lastRequest().messages().getLast())
        .isEqualTo(new Message.Notice("Call one of: first, final_reply."));
    assertThat(script.lastRequest().declared())
        .extracting(tool -> tool.name())
        .containsExactly("first", "final_reply");
  }
}
