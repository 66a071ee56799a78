package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.harness.PropertySize;
import dev.switchboard.json.Json;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.loop.TranscriptEntryJson;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each request of a conversation begins with the one before it, or a boundary lies between them.
class AppendOnlyTest {
  private final InProcessConversations store = new InProcessConversations();
  private final InProcessMemory memories = new InProcessMemory();
  private final ManualTime time = new ManualTime();
  private final ScriptedModel model = new ScriptedModel();
  private final Memory memory = Memory.of(memories, "Desk", time);

  /// A source that keeps the registry, to change it.
  private static final class Changing implements ToolRegistry.Source {
    private @Nullable ToolRegistry tools;

    @Override
    public void start(ToolRegistry registry, ToolDefaults defaults, Services services) {
      tools = registry;
    }

    @Override
    public void close() {}
  }

  private static Tool tool(String name) {
    return Tool.dynamic(name, "{\"type\":\"object\"}").handler((arguments, context) -> "done");
  }

  private AgentBuilder desk() {
    return Agent.builder("Desk")
        .prompt("You are a clerk.")
        .model(model)
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

  private void remember(String label, String text) {
    Block unused = memory.create(Block.of("Desk", label, Block.Kind.CORE).withValue(text));
  }

  private void edit(String text) {
    Block unused = memory.overwrite("notes", text, memory.block("notes").block().version());
  }

  private List<TranscriptEntry.Opened> boundaries() {
    return store.lines("c", 5_000).stream()
        .<TranscriptEntry>map((Line line) -> TranscriptEntryJson.read("c", line))
        .filter(TranscriptEntry.Opened.class::isInstance)
        .map(TranscriptEntry.Opened.class::cast)
        .toList();
  }

  private static boolean continues(ModelRequest earlier, ModelRequest later) {
    List<Message> messages = earlier.messages();
    return later.declared().equals(earlier.declared())
        && later.messages().size() > messages.size()
        && later.messages().subList(0, messages.size()).equals(messages);
  }

  @Tag("slow")
  @Test
  void twoHundredTurnsHaveOneBoundaryTheFirst() {
    remember("notes", "Nothing yet.");
    for (int turn = 1; turn <= 200; turn++) {
      if (turn % 3 == 0) {
        model.calls("get_rate", "{}").calls("charge", "{}");
      }
      model.says("Done.");
      if (turn % 20 == 0) {
        edit("Turn " + turn);
      }
      try (Agent agent = desk().build()) {
        Turn ended = agent.conversation("c").say("Turn " + turn);
        assertThat(ended).isEqualTo(new Turn.Reply("Done."));
      }
      time.advance(Duration.ofMinutes(1));
    }

    assertThat(boundaries())
        .singleElement()
        .satisfies(first -> {
          assertThat(first.reason()).isEqualTo("first");
          assertThat(first.system()).contains("You are a clerk.", "Nothing yet.");
        });
    List<ModelRequest> requests = model.requests();
    assertThat(requests).hasSizeGreaterThan(300);
    for (int i = 1; i < requests.size(); i++) {
      assertThat(continues(requests.get(i - 1), requests.get(i))).as("request %d", i).isTrue();
    }
    assertThat(requests.getLast().messages())
        .filteredOn(Message.Notice.class::isInstance)
        .filteredOn(notice -> notice.toString().contains("<block label=\"notes\""))
        .hasSize(10);
    assertThat(requests.getLast().messages())
        .contains(new Message.Notice("Due now: call close_file."));
  }

  @Test
  void aBlockThatIsGoneIsInNoLaterRequest() {
    remember("secret", "Nobody may read this later.");
    model.says("One.").says("Two.");
    try (Agent agent = desk().build()) {
      Turn first = agent.conversation("c").say("First");
      Memory.inHandsOf("Ada", memories, "Desk", time).delete("secret");
      Turn second = agent.conversation("c").say("Second");
      assertThat(List.of(first, second)).hasSize(2);
    }

    assertThat(model.requests().getFirst().toString()).contains("Nobody may read");
    assertThat(model.lastRequest().toString()).doesNotContain("Nobody may read");
    assertThat(boundaries())
        .extracting(TranscriptEntry.Opened::reason)
        .containsExactly("first", "forgotten");
  }

  @Test
  void aNewToolIsABoundaryAndOneThatIsGoneIsNot() {
    model.says("One.").says("Two.").says("Three.");
    Changing source = new Changing();
    try (Agent agent = desk().tools(source).build()) {
      ToolRegistry tools = Objects.requireNonNull(source.tools);
      Conversation talk = agent.conversation("c");
      Turn first = talk.say("First");
      tools.register(tool("refund"));
      Turn second = talk.say("Second");
      assertThat(tools.remove("refund")).isTrue();
      Turn third = talk.say("Third");
      assertThat(List.of(first, second, third)).hasSize(3);
    }

    List<ModelRequest> requests = model.requests();
    assertThat(continues(requests.get(0), requests.get(1))).isFalse();
    assertThat(continues(requests.get(1), requests.get(2))).isTrue();
    assertThat(requests.get(2).tools()).noneMatch(tool -> tool.name().equals("refund"));
    assertThat(boundaries())
        .extracting(TranscriptEntry.Opened::reason)
        .containsExactly("first", "changed");
  }

  @Test
  void itemsComeBackUntilABoundary() {
    ProviderItems items = ProviderItems.of("me", List.of(Json.text("{\"item\":{\"a\":1}}")));
    model
        .replies(ModelReply.calls(RequestedCall.of("c1", "get_rate", "{}")).withItems(items))
        .says("One.")
        .says("Two.");
    try (Agent agent = desk().build()) {
      Turn first = agent.conversation("c").say("First");
      assertThat(first).isEqualTo(new Turn.Reply("One."));
    }
    assertThat(items(1)).containsExactly(items);
    try (Agent agent = desk().tools(tool("refund")).build()) {
      Turn second = agent.conversation("c").say("Second");
      assertThat(second).isEqualTo(new Turn.Reply("Two."));
    }
    assertThat(items(2)).isEmpty();
  }

  private List<ProviderItems> items(int request) {
    return model.requests().get(request).messages().stream()
        .filter(Message.Assistant.class::isInstance)
        .flatMap(message -> Stream.ofNullable(((Message.Assistant) message).items()))
        .toList();
  }

  static Stream<Integer> seeds() {
    int runs = PropertySize.of("loop.appended", 1_000);
    return Stream.iterate(1, seed -> seed + 1).limit(runs);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anyTurnsContinueOrHaveABoundary(int seed) {
    Random random = new Random(seed);
    int history = 2 + random.nextInt(40);
    remember("notes", "Nothing yet.");
    ScriptedModel any = ScriptedModel.answering(request -> reply(random));
    List<ModelRequest> asked = new ArrayList<>();
    int breaks = 0;
    for (int life = 0; life < 4; life++) {
      AgentBuilder builder =
          desk().model(any).limits(AgentLimits.DEFAULT.withHistory(history).withIterations(4));
      if (random.nextInt(4) == 0) {
        builder.tools(tool("refund"));
      }
      try (Agent agent = builder.build()) {
        for (int turn = 0; turn < 6; turn++) {
          if (random.nextInt(4) == 0) {
            edit("Edit " + random.nextInt(3));
          }
          time.advance(Duration.ofMinutes(random.nextInt(4)));
          Turn ended = agent.conversation("c").say("Turn " + turn);
          assertThat(ended).isNotNull();
        }
      }
    }
    asked.addAll(any.requests());
    for (int i = 1; i < asked.size(); i++) {
      breaks += continues(asked.get(i - 1), asked.get(i)) ? 0 : 1;
      assertThat(asked.get(i).messages().size()).isLessThan(history + 40);
    }
    assertThat(breaks).isLessThanOrEqualTo(boundaries().size() - 1);
    assertThat(asked).hasSizeGreaterThan(24);
  }

  private static ModelReply reply(Random random) {
    List<String> names = List.of("get_rate", "charge", "close_file", "refund");
    if (random.nextInt(3) > 0) {
      return ModelReply.text("Words " + random.nextInt(9));
    }
    return ModelReply.calls(
        RequestedCall.of("x" + random.nextInt(3), names.get(random.nextInt(4)), "{}"));
  }
}
