package dev.switchboard.anthropic;

import static dev.switchboard.anthropic.BindingServer.call;
import static dev.switchboard.anthropic.BindingServer.hidden;
import static dev.switchboard.anthropic.BindingServer.text;
import static dev.switchboard.anthropic.BindingServer.thinking;
import static dev.switchboard.anthropic.BindingServer.thoughts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.AgentLimits;
import dev.switchboard.agent.ModelHook;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.testing.StubResponses;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Conversations with a model whose thinking counts only where all before it is as it was.
class PreservedThinkingTest {
  private final InProcessConversations store = new InProcessConversations();
  private final InProcessMemory memories = new InProcessMemory();
  private final ManualTime time = new ManualTime();
  private final List<Event> events = new ArrayList<>();
  private int replies;

  private static Tool tool(String name) {
    return Tool.dynamic(name, "{\"type\":\"object\"}").handler((arguments, context) -> "done");
  }

  private AgentBuilder desk() {
    return Agent.builder("Desk")
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

  /// The blocks of replies, in ever other orders; every third turn has calls.
  private List<ObjectNode> blocks(JsonNode request) {
    JsonNode messages = request.path("messages");
    JsonNode content = messages.get(messages.size() - 1).path("content");
    String type = content.get(content.size() - 1).path("type").asString();
    int n = replies++;
    boolean calls = n % 3 == 0 && type.equals("text");
    List<ObjectNode> blocks = new ArrayList<>();
    if (n % 2 == 0) {
      blocks.add(thinking(n % 4 == 0 ? "" : "Hm."));
    }
    if (n % 5 == 0) {
      blocks.add(text("Let me see."));
      blocks.add(hidden());
    }
    if (calls) {
      blocks.add(call("toolu_" + n + "a", "get_rate"));
      blocks.add(call("toolu_" + n + "b", "charge"));
    } else {
      blocks.add(text("Done."));
      if (n % 7 == 0) {
        blocks.add(thinking("And more."));
        blocks.add(text("Really."));
      }
    }
    return blocks;
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

  @Test
  void isSentBackWholeThroughRulesRemindersMemoryAndRestarts() {
    Memory memory = Memory.of(memories, "Desk", time);
    Block created = memory.create(Block.of("Desk", "notes", Block.Kind.CORE).withValue("None."));
    assertThat(created.value()).isEqualTo("None.");
    try (BindingServer server = new BindingServer(this::blocks)) {
      for (int turn = 1; turn <= 12; turn++) {
        assertThat(say(desk().model(server.model("m")), "Turn " + turn))
            .isInstanceOf(Turn.Reply.class);
        if (turn % 3 == 0) {
          Block edited =
              memory.overwrite("notes", "At " + turn, memory.block("notes").block().version());
          assertThat(edited.value()).isEqualTo("At " + turn);
        }
        time.advance(Duration.ofMinutes(1));
      }

      assertThat(server.refusals()).isZero();
      int most = 0;
      for (JsonNode request : server.requests()) {
        assertThat(thoughts(request)).isGreaterThanOrEqualTo(most);
        most = thoughts(request);
      }
      assertThat(most).isGreaterThan(10);
      assertThat(dropped()).isEmpty();
    }
  }

  @Test
  void isNotSentAfterABoundary() {
    try (BindingServer server = new BindingServer(request -> List.of(thinking(""), text("Yes.")))) {
      assertThat(say(desk().model(server.model("m")), "One")).isEqualTo(new Turn.Reply("Yes."));
      AgentBuilder other = desk().prompt("You are a judge.").model(server.model("m"));
      assertThat(say(other, "Two")).isEqualTo(new Turn.Reply("Yes."));
      assertThat(say(other, "Three")).isEqualTo(new Turn.Reply("Yes."));

      assertThat(server.requests()).extracting(BindingServer::thoughts).containsExactly(0, 0, 1);
      assertThat(server.refusals()).isZero();
    }
  }

  /// Changes what the user said first, from the third request on.
  private static final class Changing implements ModelHook {
    private int requests;

    @Override
    public ModelRequest beforeModel(String conversationId, ModelRequest request) {
      requests++;
      List<Message> messages = new ArrayList<>(request.messages());
      messages.replaceAll(message ->
          requests > 2 && message.equals(new Message.User("One"))
              ? new Message.User("Another")
              : message);
      return request.withMessages(messages);
    }
  }

  @Test
  void isLeftOutOnceItWasRefused() {
    try (BindingServer server = new BindingServer(request -> List.of(thinking(""), text("Yes.")))) {
      Changing hook = new Changing();
      for (String words : List.of("One", "Two", "Three", "Four", "Five")) {
        assertThat(say(desk().hook(hook).model(server.model("m")), words))
            .isEqualTo(new Turn.Reply("Yes."));
      }

      assertThat(server.refusals()).isOne();
      assertThat(server.requests())
          .extracting(BindingServer::thoughts)
          .containsExactly(0, 1, 2, 0, 1, 2);
      assertThat(dropped()).hasSize(1);
    }
  }

  @Test
  void anotherModelInBetweenLosesAndBreaksNothing() {
    ScriptedModel other = new ScriptedModel().says("I stand in.");
    try (BindingServer server = new BindingServer(request -> List.of(thinking(""), text("Yes.")))) {
      ScriptedModel down = new ScriptedModel().fails(Kind.UNAVAILABLE).fails(Kind.UNAVAILABLE);
      Turn first = say(desk().model(server.model("m")), "One");
      Turn second = say(desk().model(down).fallback(other), "Two");
      Turn third = say(desk().model(server.model("m")), "Three");
      Turn fourth = say(desk().model(server.model("n")), "Four");

      assertThat(List.of(first, second, third, fourth))
          .extracting(turn -> ((Turn.Reply) turn).text())
          .containsExactly("Yes.", "I stand in.", "Yes.", "Yes.");
      assertThat(server.requests()).extracting(BindingServer::thoughts).containsExactly(0, 1, 0);
      assertThat(server.refusals()).isZero();
    }
  }

  /// Another model, which is down in some turns.
  private record Unsteady(ChatModel model, Set<Integer> down, AtomicInteger asked)
      implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      if (down.contains(asked.incrementAndGet())) {
        throw new ModelException(Kind.DENIED, "No.", null);
      }
      return model.reply(request, stream);
    }

    @Override
    public String name() {
      return model.name();
    }
  }

  @Test
  void twoProvidersInTurnsGetWhatIsTheirs() {
    try (StubResponses responses = StubResponses.start().says("One.").says("Three.").says("Five.");
        BindingServer server =
            new BindingServer(request -> List.of(thinking("Secret."), text("Even.")))) {
      ChatModel luna =
          OpenAiModel.of(
              "m",
              ModelOptions.builder()
                  .baseUrl(responses.url())
                  .api(ModelOptions.Api.RESPONSES)
                  .build());
      Unsteady first = new Unsteady(luna, Set.of(2, 4), new AtomicInteger());
      List<String> replies = new ArrayList<>();
      for (int turn = 1; turn <= 5; turn++) {
        Turn ended = say(desk().model(first).fallback(server.model("m")), "Turn " + turn);
        replies.add(((Turn.Reply) ended).text());
      }

      assertThat(replies).containsExactly("One.", "Even.", "Three.", "Even.", "Five.");
      assertThat(server.refusals()).isZero();
      assertThat(server.requests()).extracting(BindingServer::thoughts).containsExactly(0, 1);
      assertThat(responses.dropped()).isEmpty();
      assertThat(responses.requests()).hasSize(3);
      Json last = responses.requests().getLast();
      assertThat(last.tree().path("input").findValuesAsString("encrypted_content")).hasSize(2);
      assertThat(last.text()).doesNotContain("Secret.");
      assertThat(dropped()).isEmpty();
    }
  }
}
