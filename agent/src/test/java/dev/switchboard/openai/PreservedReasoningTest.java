package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.AgentLimits;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.StubResponses;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Conversations with a model whose reasoning counts only where all before it is as it was.
class PreservedReasoningTest {
  private final InProcessConversations store = new InProcessConversations();
  private final InProcessMemory memories = new InProcessMemory();
  private final ManualTime time = new ManualTime();
  private final List<Event> events = new ArrayList<>();
  private final StubResponses server = StubResponses.start();

  @AfterEach
  void close() {
    server.close();
  }

  private static Tool tool(String name) {
    return Tool.dynamic(name, "{\"type\":\"object\"}").handler((arguments, context) -> "done");
  }

  private ChatModel model() {
    return OpenAiModel.of(
        "m", ModelOptions.builder().baseUrl(server.url()).api(ModelOptions.Api.RESPONSES).build());
  }

  private AgentBuilder desk() {
    return Agent.builder("Desk")
        .model(model())
        .prompt("You are a clerk.")
        .store(store)
        .memory(memories)
        .time(time)
        .tools(tool("get_rate"), tool("charge"), tool("close_file"))
        .limits(AgentLimits.DEFAULT.withHistory(2_000))
        .rules(
            ToolRule.maxCalls("get_rate", 1),
            ToolRule.after("charge", "get_rate"),
            ToolRule.every("close_file", Duration.ofMinutes(3)));
  }

  private Turn say(AgentBuilder builder, String words) {
    try (Agent agent = builder.build()) {
      return agent.conversation("c").say(words, events::add);
    }
  }

  private List<String> dropped() {
    return events.stream()
        .map(event -> event.json().text())
        .filter(text -> text.contains("reasoning_dropped"))
        .toList();
  }

  private static long reasoning(Json request) {
    return request
        .tree()
        .path("input")
        .valueStream()
        .filter(item -> item.path("type").asString("").equals("reasoning"))
        .count();
  }

  @Test
  void isSentBackWholeThroughRulesRemindersMemoryAndRestarts() {
    Memory memory = Memory.of(memories, "Desk", time);
    Block created = memory.create(Block.of("Desk", "notes", Block.Kind.CORE).withValue("None."));
    assertThat(created.value()).isEqualTo("None.");
    for (int turn = 1; turn <= 20; turn++) {
      if (turn % 3 == 0) {
        server.says("Let me see.").and().calls("get_rate", "{}").and().calls("charge", "{}");
      }
      server.says("Done.").and().says("Really.");
      assertThat(say(desk(), "Turn " + turn)).isEqualTo(new Turn.Reply("Done.\n\nReally."));
      if (turn % 4 == 0) {
        Block edited =
            memory.overwrite("notes", "At " + turn, memory.block("notes").block().version());
        assertThat(edited.value()).isEqualTo("At " + turn);
      }
      time.advance(Duration.ofMinutes(1));
    }

    server.assertDone();
    assertThat(server.dropped()).isEmpty();
    assertThat(dropped()).isEmpty();
    Set<JsonNode> choices = new HashSet<>();
    for (int i = 0; i < server.requests().size(); i++) {
      assertThat(reasoning(server.requests().get(i))).isEqualTo(i);
      choices.add(server.requests().get(i).tree().path("tool_choice"));
    }
    assertThat(choices).as("the offer changes").hasSizeGreaterThan(1);
  }

  @Test
  void isLeftOutOnceItWasRefused() {
    for (String words : List.of("One.", "Two.", "Three.", "Four.")) {
      server.says(words);
    }
    say(desk(), "One");
    say(desk(), "Two");
    server.forget();
    assertThat(say(desk(), "Three")).isEqualTo(new Turn.Reply("Three."));
    say(desk(), "Four");

    assertThat(server.requests())
        .extracting(PreservedReasoningTest::reasoning)
        .containsExactly(0L, 1L, 2L, 0L, 1L);
    assertThat(dropped()).hasSize(1);
  }

  @Test
  void anotherProviderInBetweenGetsItsOwnItemsAlone() {
    server
        .calls("get_rate", "{}")
        .fails(503, "server_is_overloaded", "Too many people.")
        .says("Two.")
        .fails(503, "server_is_overloaded", "Too many people.")
        .says("Four.");
    try (StubWebhook other = StubWebhook.start()) {
      other.answer(
          200,
          "{\"choices\":[{\"message\":{\"content\":\"I stand"
              + " in.\",\"reasoning_content\":\"Hm.\"}}]}");
      ChatModel fallback =
          OpenAiModel.of("other", ModelOptions.builder().baseUrl(other.url("/v1")).build());
      List<String> replies = new ArrayList<>();
      for (String words : List.of("One", "Two", "Three", "Four")) {
        replies.add(((Turn.Reply) say(desk().fallback(fallback), words)).text());
      }

      assertThat(replies).containsExactly("I stand in.", "Two.", "I stand in.", "Four.");
      assertThat(other.requests()).hasSize(2);
      assertThat(other.requests().getFirst().body()).doesNotContain("enc1", "reasoning_content");
      assertThat(other.requests().getLast().body())
          .doesNotContain("enc1", "enc3")
          .containsOnlyOnce("\"reasoning_content\":\"Hm.\"");
    }
    assertThat(server.requests())
        .extracting(PreservedReasoningTest::reasoning)
        .containsExactly(0L, 1L, 1L, 2L, 2L);
    assertThat(server.requests().toString()).doesNotContain("Hm.");
    assertThat(server.dropped()).isEmpty();
    assertThat(dropped()).isEmpty();
    server.assertDone();
  }
}
