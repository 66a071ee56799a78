package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.loop.TranscriptEntryJson;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Conversations that outgrow what a model reads at once.
class WindowTest {
  private static final String SORRY =
      "This is too much text for the language model at once. Please send less.";

  private final InProcessConversations store = new InProcessConversations();
  private final List<Event> events = new ArrayList<>();

  /// A model that refuses what it cannot read, as services do. A token is 4 characters.
  private static final class Narrow implements ChatModel {
    private final String name;
    private final int reads;
    private final int states; // 0 for nothing
    private final boolean tellsNumber;
    private final List<ModelRequest> requests = new ArrayList<>();
    private ModelRequest latest = ModelRequest.of();
    private int refusals;
    private int breaks;
    private long sent;

    Narrow(String name, int reads, int states, boolean tellsNumber) {
      this.name = name;
      this.reads = reads;
      this.states = states;
      this.tellsNumber = tellsNumber;
    }

    private static int size(ModelRequest request) {
      int characters = 0;
      for (Message message : request.messages()) {
        characters +=
            switch (message) {
              case Message.System system -> system.text().length();
              case Message.User user -> user.text().length() + 4_000 * user.files().size();
              case Message.Notice notice -> notice.text().length();
              case Message.Assistant said -> said.text().length() + 40 * said.calls().size();
              case Message.Result result -> result.text().length();
            };
      }
      return characters / 4 + 60 * request.declared().size();
    }

    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      requests.add(request);
      int size = size(request);
      if (size > reads) {
        refusals++;
        throw new ModelException(
            ModelException.Kind.TOO_LONG, "too long", null, tellsNumber ? reads : 0, null);
      }
      List<Message> before = latest.messages();
      boolean continued =
          request.messages().size() >= before.size()
              && request.messages().subList(0, before.size()).equals(before);
      breaks += continued ? 0 : 1;
      latest = request;
      sent += size;
      boolean asks =
          request.messages().getLast() instanceof Message.User user
              && user.text().startsWith("Look");
      ModelReply reply =
          asks
              ? ModelReply.calls(RequestedCall.of("", "get_page", "{}"))
              : ModelReply.text("Noted, as you wish.");
      return reply.withUsage(new ModelReply.Usage(size, 8));
    }

    @Override
    public int window() {
      return states;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean endsWhenCancelled() {
      return true;
    }
  }

  private AgentBuilder agent(ChatModel model) {
    return Agent.builder("Clerk").model(model).store(store);
  }

  private Turn say(AgentBuilder builder, String words) {
    try (Agent agent = builder.build()) {
      return agent.conversation("c").say(words, events::add);
    }
  }

  private List<String> boundaries() {
    return store.lines("c", 9_000).stream()
        .map(line -> TranscriptEntryJson.read("c", line))
        .filter(TranscriptEntry.Opened.class::isInstance)
        .map(line -> ((TranscriptEntry.Opened) line).reason())
        .toList();
  }

  private List<Event> compacted() {
    return events.stream()
        .filter(event ->
            event instanceof Event.AgentEvent(String word, var payload) && word.equals("compacted"))
        .toList();
  }

  @Test
  void goesOnWhereItsModelRefusesALongConversation() {
    for (boolean tells : List.of(true, false)) {
      String id = "c" + tells;
      Narrow model = new Narrow("small", 1_500, 0, tells);
      for (int turn = 0; turn < 30; turn++) {
        // Each in a new process.
        try (Agent agent = agent(model).build()) {
          Turn ended = agent.conversation(id).say("x".repeat(900), events::add);
          assertThat(ended).as("turn %d", turn).isEqualTo(new Turn.Reply("Noted, as you wish."));
        }
      }
      // A number is known in later processes; without one each growth is found out anew.
      assertThat(model.refusals).isLessThan(tells ? 2 : 10);
    }
    assertThat(compacted()).isNotEmpty();
  }

  @Tag("slow")
  @Test
  void statedWindowsAreNeverExceeded() {
    Narrow model = new Narrow("small", 1_500, 1_500, true);
    for (int turn = 0; turn < 200; turn++) {
      Turn ended = say(agent(model), "Short words, number " + turn + ".");
      assertThat(ended).isEqualTo(new Turn.Reply("Noted, as you wish."));
    }
    assertThat(model.refusals).isZero();
    assertThat(boundaries()).startsWith("first", "window");
    assertThat(model.breaks).isEqualTo(boundaries().size() - 1);
  }

  @Test
  void oneMessageThatIsTooLongEndsItsTurnAndALaterOneGoesOn() {
    Narrow model = new Narrow("small", 1_500, 0, true);
    Turn first = say(agent(model), "x".repeat(9_000));
    assertThat(first)
        .isInstanceOfSatisfying(
            Turn.Stopped.class,
            stopped -> {
              assertThat(stopped.reason()).isEqualTo(StopReason.MODEL_ERROR);
              assertThat(stopped.text()).isEqualTo(SORRY);
            });
    assertThat(say(agent(model), "Short.")).isEqualTo(new Turn.Reply("Noted, as you wish."));
  }

  @Test
  void aLimitWithoutANumberOrWithAnOddOneIsNotTakenForTheWindow() {
    for (int number : List.of(0, 5)) {
      String id = "c" + number;
      AtomicInteger asked = new AtomicInteger();
      ScriptedModel model =
          ScriptedModel.answering(request -> {
            if (asked.incrementAndGet() == 4) {
              throw new ModelException(
                  ModelException.Kind.TOO_LONG, "too many bytes", null, number, null);
            }
            return ModelReply.text("Noted.");
          });
      try (Agent agent = agent(model).build()) {
        for (int turn = 0; turn < 10; turn++) {
          assertThat(agent.conversation(id).say("Words.")).isEqualTo(new Turn.Reply("Noted."));
        }
      }
      assertThat(model.lastRequest().messages()).hasSizeGreaterThan(12);
    }
  }

  @Test
  void isNotAskedAgainOnceWordsWereShown() {
    AtomicInteger asked = new AtomicInteger();
    ChatModel model =
        (request, stream) -> {
          asked.incrementAndGet();
          stream.text("Half a ");
          throw new ModelException(ModelException.Kind.TOO_LONG, "too long", null, 2_000, null);
        };
    assertThat(say(agent(model), "Words.")).isInstanceOf(Turn.Stopped.class);
    assertThat(asked).hasValue(1);
  }

  @Test
  void aFallbackReadsWhatIsTooLongForTheFirst() {
    Narrow model = new Narrow("small", 1_500, 0, true);
    Narrow roomy = new Narrow("roomy", 100_000, 0, true);
    Turn ended = say(agent(model).fallback(roomy), "x".repeat(9_000));
    assertThat(ended).isEqualTo(new Turn.Reply("Noted, as you wish."));
    assertThat(roomy.requests).hasSize(1);
  }

  @Test
  void aResultThatFillsTheWindowIsCutBeforeItIsSent() {
    Narrow model = new Narrow("small", 4_000, 4_000, true);
    Tool page =
        Tool.dynamic("get_page", "{\"type\":\"object\"}")
            .mode(ToolMode.READ)
            .handler((arguments, context) -> "y".repeat(50_000));
    Turn ended = say(agent(model).tools(page), "Look it up.");
    assertThat(ended).isEqualTo(new Turn.Reply("Noted, as you wish."));
    assertThat(model.refusals).isZero();
    assertThat(model.latest.messages().getLast())
        .isInstanceOfSatisfying(
            Message.Result.class,
            result ->
                assertThat(result.text())
                    .hasSizeLessThan(3_200)
                    .endsWith("(The rest was cut off: the result has 50000 characters.)"));
  }

  @Test
  @Tag("slow")
  void fiveHundredTurnsInAWindowCostTheSameEach() {
    Narrow model = new Narrow("small", 8_000, 8_000, true);
    InProcessMemory memories = new InProcessMemory();
    ManualTime time = new ManualTime();
    Memory memory = Memory.of(memories, "Clerk", time);
    Block unused = memory.create(Block.of("Clerk", "notes", Block.Kind.CORE).withValue("None."));
    Tool page =
        Tool.dynamic("get_page", "{\"type\":\"object\"}")
            .mode(ToolMode.READ)
            .handler((arguments, context) -> "A page of text. ".repeat(60));
    List<Long> hundreds = new ArrayList<>();
    long before = 0;
    Message.Attachment picture =
        Message.Attachment.of(
            "image/png",
            Base64.getDecoder()
                .decode(
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="));
    for (int turn = 1; turn <= 500; turn++) {
      if (turn % 50 == 0) {
        Block edited =
            memory.overwrite("notes", "Turn " + turn, memory.block("notes").block().version());
        assertThat(edited.value()).isEqualTo("Turn " + turn);
      }
      AgentBuilder builder =
          agent(model)
              .memory(memories)
              .time(time)
              .tools(page)
              .limits(AgentLimits.DEFAULT.withHistory(2_000))
              .rules(ToolRule.cooldown("get_page", Duration.ofSeconds(30)));
      try (Agent agent = builder.build()) {
        Conversation talk = agent.conversation("c");
        Turn ended =
            turn % 40 == 0
                ? talk.say(new Message.User("What is this?", picture), events::add)
                : talk.say(turn % 5 == 0 ? "Look it up." : "And now number " + turn + "?");
        assertThat(ended).as("turn %d", turn).isEqualTo(new Turn.Reply("Noted, as you wish."));
      }
      time.advance(Duration.ofMinutes(1));
      if (turn % 100 == 0) {
        hundreds.add(model.sent - before);
        before = model.sent;
      }
    }
    assertThat(model.refusals).isZero();
    assertThat(model.breaks).isLessThanOrEqualTo(boundaries().size() - 1).isLessThan(60);
    assertThat(hundreds.getLast()).isLessThan(hundreds.get(1) * 5 / 4);
  }
}
