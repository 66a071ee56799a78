package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.loop.TranscriptEntryJson;
import dev.switchboard.model.Message;
import dev.switchboard.state.ConversationState;
import dev.switchboard.testing.ScriptedModel;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Conversations that were stored before requests had boundaries.
class OlderTranscriptTest {
  private static final List<String> LINES =
      List.of(
          "turn1/input"
              + " {\"v\":1,\"at\":\"2026-01-01T12:00:00Z\",\"type\":\"said\",\"input\":\"a\",\"text\":\"The"
              + " rate?\",\"turn\":1}",
          "turn1/round1/model"
              + " {\"v\":1,\"at\":\"2026-01-01T12:00:00Z\",\"type\":\"replied\",\"reply\":{\"calls\":[{\"id\":\"c1\",\"name\":\"get_rate\",\"arguments\":\"{}\",\"extra\":{\"anthropic:thinking\":[{\"type\":\"thinking\",\"thinking\":\"Hm\",\"signature\":\"S\"}]}}],\"finish\":\"tool_calls\",\"usage\":{\"input\":3,\"output\":2}},\"ids\":[\"call_1_1_1\"],\"held\":false}",
          "turn1/round1/end"
              + " {\"v\":1,\"at\":\"2026-01-01T12:00:00Z\",\"type\":\"ended\",\"messages\":[{\"role\":\"result\",\"call\":\"c1\",\"tool\":\"get_rate\",\"text\":\"1.2\",\"success\":true}],\"decision\":{\"type\":\"continue\"}}",
          "turn1/round2/model"
              + " {\"v\":1,\"at\":\"2026-01-01T12:00:00Z\",\"type\":\"replied\",\"reply\":{\"text\":\"It"
              + " is 1.2.\",\"finish\":\"stop\",\"usage\":{\"input\":3,\"output\":2}},\"held\":false}",
          "turn1/round2/end"
              + " {\"v\":1,\"at\":\"2026-01-01T12:00:00Z\",\"type\":\"ended\",\"decision\":{\"type\":\"exit\",\"reason\":\"end_turn\"}}",
          "turn1/end"
              + " {\"v\":1,\"at\":\"2026-01-01T12:00:00Z\",\"type\":\"closed\",\"reason\":\"end_turn\",\"text\":\"It"
              + " is 1.2.\",\"usage\":{\"input\":6,\"output\":4}}");

  @Test
  void goOnWithABoundaryAndWithoutThinking() {
    InProcessConversations store = new InProcessConversations();
    for (String line : LINES) {
      int space = line.indexOf(' ');
      Line old = new Line(line.substring(0, space), Json.text(line.substring(space + 1)));
      assertThat(store.append("c", 0, old)).isTrue();
    }
    assertThat(store.state("c").replace(store.state("c").load(), ConversationState.NEW.turn(1)))
        .isTrue();
    ScriptedModel model = new ScriptedModel().says("You are welcome.");
    Tool rate = Tool.dynamic("get_rate", "{\"type\":\"object\"}").handler((a, c) -> "1.2");
    try (Agent agent =
        Agent.builder("Desk").prompt("A clerk.").model(model).tools(rate).store(store).build()) {
      Conversation talk = agent.conversation("c");
      // Its state was not stored with these lines: the turn is finished first.
      Turn unused = talk.resume();
      assertThat(talk.say("Thanks.")).isEqualTo(new Turn.Reply("You are welcome."));
    }

    List<Message> messages = model.lastRequest().messages();
    assertThat(messages.subList(0, 2))
        .containsExactly(new Message.System("A clerk."), new Message.User("The rate?"));
    assertThat(messages)
        .filteredOn(Message.Assistant.class::isInstance)
        .allMatch(message -> ((Message.Assistant) message).items() == null);
    assertThat(store.lines("c", 99))
        .extracting(line -> TranscriptEntryJson.read("c", line))
        .filteredOn(TranscriptEntry.Opened.class::isInstance)
        .hasSize(1);
  }
}
