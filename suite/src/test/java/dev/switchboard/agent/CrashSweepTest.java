package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The process dies behind every single write, one run after the other, and a fresh one goes on: no
/// handler does its deed twice, none is lost, and the transcript is the same.
class CrashSweepTest {
  private static final int MOST_WRITES = 400;
  private static final Json FORM =
      Json.text(
          "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}");

  /// What is outside of the process, and survives it.
  private static final class World {
    final InProcessConversations durable = new InProcessConversations();
    final ManualTime time = new ManualTime();
    final boolean formed; // whether replies have to be of a form
    // How often each deed was done, by its idempotency key, tool and conversation.
    final Map<String, Integer> deeds = new TreeMap<>();
    final Map<String, Integer> tries = new TreeMap<>();

    World(boolean formed) {
      this.formed = formed;
    }

    String sentence(int turn) {
      return List.of("Do it all.", "Thank you.", "Nonsense.").get(turn);
    }

    int turns() {
      return formed ? 3 : 2;
    }
  }

  /// A process, which lives until its n-th write.
  private static final class Life {
    private final World world;
    private final DyingStore store;

    Life(World world, int writes) {
      this.world = world;
      store = new DyingStore(world.durable, writes);
    }

    private Tool tool(String name) {
      return Tool.dynamic(name)
          .parallel(true)
          .retry(RetryPolicy.DEFAULT)
          .handler((arguments, context) -> work(name, context));
    }

    private String work(String name, ToolContext context) throws IOException {
      store.beginDeed(context.toolCallId());
      synchronized (world) {
        String key = name + " " + context.idempotencyKey();
        int tries = world.tries.merge(key, 1, Integer::sum);
        if (name.equals("get_flaky") && tries == 1) {
          store.endDeed(context.toolCallId());
          throw new IOException("not yet");
        }
        world.deeds.merge(key, 1, Integer::sum);
        return name + " done";
      }
    }

    private ModelReply reply(ModelRequest request) {
      store.alive();
      return script(request);
    }

    Agent agent() {
      AgentBuilder builder = Agent.builder("sweep");
      if (world.formed) {
        builder.reply(FORM).fallback(ScriptedModel.answering(this::reply));
      }
      return builder
          .model(ScriptedModel.answering(this::reply))
          .tools(
              tool("get_one"),
              tool("get_flaky"),
              tool("load_first"),
              tool("local_risky"),
              tool("save_it"),
              tool("send_it"))
          .rules(
              ToolRule.startWith("load_first"),
              ToolRule.maxCalls("get_one", 1),
              ToolRule.after("send_it", "get_one"),
              ToolRule.onlyAfter("local_risky", "send_it"),
              ToolRule.requiredBeforeExit("save_it"),
              ToolRule.exitAfter("send_it"))
          .firstMessage("Hello.")
          .store(store)
          .time(world.time)
          .build();
    }

    /// Talks until the conversation is where it should be, or the process dies.
    boolean talk() {
      try (Conversation talk =
          agent().conversation("c", ConversationOptions.NONE.withLog(event -> {}))) {
        Turn turn = talk.resume(event -> {});
        while (true) {
          if (turn instanceof Turn.Pending pending) {
            turn = talk.answer(pending.requests().getFirst().id(), Answer.approveOnce());
          } else if (talk.state().turn() < world.turns()) {
            turn = talk.say(world.sentence(talk.state().turn()));
          } else {
            return true;
          }
        }
      } catch (DyingStore.Killed e) {
        return false;
      }
    }
  }

  /// What the model says, by the last thing it has read.
  private static ModelReply script(ModelRequest request) {
    List<Message> read = request.messages();
    return switch (read.getLast()) {
      case Message.User(String text, var files) ->
          text.equals("Do it all.")
              ? calls("get_one", "get_flaky", "local_risky")
              : ModelReply.text("You are welcome: " + text);
      case Message.Result(String id, String tool, String text, boolean success) ->
          read.stream().anyMatch(message -> isResultOf(message, "send_it"))
              ? calls("save_it")
              : isResultOf(read.get(read.size() - 3), "get_one")
                  ? calls("send_it")
                  : isResultOf(read.getLast(), "load_first")
                      ? calls("get_one", "get_flaky", "local_risky")
                      : ModelReply.text("What?");
      case Message.Notice(String text) when text.contains("the form that was asked for") ->
          ModelReply.text(corrections(read) % 4 == 2 ? "{\"n\":1}" : "Words.");
      case Message.Notice notice -> calls("save_it");
      case Message.Assistant said -> ModelReply.text("?");
      case Message.System system -> ModelReply.text("?");
    };
  }

  private static long corrections(List<Message> read) {
    return read.stream()
        .filter(message -> message instanceof Message.Notice(String text) && text.contains("form"))
        .count();
  }

  private static boolean isResultOf(Message message, String tool) {
    return message instanceof Message.Result result && result.tool().equals(tool);
  }

  private static ModelReply calls(String... tools) {
    List<RequestedCall> calls = new ArrayList<>();
    for (String tool : tools) {
      calls.add(RequestedCall.of("same", tool, "{}"));
    }
    return ModelReply.calls(calls.toArray(RequestedCall[]::new));
  }

  private static List<String> transcript(World world) {
    List<String> lines = new ArrayList<>();
    for (Line line : world.durable.lines("c", 1000)) {
      String text =
          line.entry()
              .text()
              .replaceAll("\"at\":\"[^\"]*\",?", "")
              .replaceAll("\"input\":\"[^\"]*\"", "");
      lines.add(line.key() + " " + text);
    }
    return lines;
  }

  /// What the log tells, in no order, since calls run side by side: words as they follow each
  /// other, without those that are void.
  private static List<String> told(World world) {
    List<Event.Logged> log = world.durable.events("c", 0, 1000);
    assertThat(log)
        .extracting(Event.Logged::number)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, log.size()).boxed().toList());
    Map<String, StringBuilder> words = new TreeMap<>();
    List<String> told = new ArrayList<>();
    for (Event.Logged event : log) {
      JsonNode json = event.event().tree();
      String key = String.valueOf(event.key());
      if (json.path("event").asString("").equals("reply_restarted")) {
        words.remove(key.replaceAll("/restart/\\d+$", ""));
      } else if (json.path("type").asString().equals("content")) {
        words
            .computeIfAbsent(key.replaceAll("/\\d+$", ""), unused -> new StringBuilder())
            .append(json.path("content").stringValue());
      } else if (key.startsWith("consent_")) {
        // A call that was agreed to and cut off is asked about again: its time is a part of the
        // key.
        told.add(comparable(json));
      } else if (event.key() != null && !key.startsWith("retry/")) {
        // How often a call was tried before its process died, nobody tells again.
        String text = comparable(json);
        String user = key.startsWith("user/") ? key.substring(5) : "no id";
        String place =
            key.replaceAll("^user/[^/]*", "user").replaceAll("/pending/\\d{5,}", "/pending");
        told.add(place + " " + text.replace(user, "ID"));
      }
    }
    words.forEach((key, text) -> told.add(key + " " + text));
    // A call that was agreed to and cut off waits again.
    return told.stream().distinct().sorted().toList();
  }

  /// Without times, and without what a repeated request says of the first start.
  private static String comparable(JsonNode json) {
    return json.toString()
        .replaceAll(" It may have been done already: [^\"]*", "")
        .replaceAll(",\"begun\":\\{[^}]*}", "")
        .replaceAll("\"(at|expiresAt)\":\"[^\"]*\"", "");
  }

  @Test
  void diesBehindEveryWriteAndGoesOn() {
    sweep(false);
  }

  @Test
  void diesBehindEveryWriteWhileRepliesAreHeldToAForm() {
    sweep(true);
  }

  private static void sweep(boolean formed) {
    World whole = new World(formed);
    assertThat(new Life(whole, -1).talk()).isTrue();
    List<String> expected = transcript(whole);
    List<String> log = told(whole);
    assertThat(log).hasSizeGreaterThan(15);
    assertThat(whole.deeds).hasSize(6).containsValue(1);
    assertThat(expected.toString()).contains(StopReason.TOOL_RULE.word());
    if (formed) {
      assertThat(expected.toString())
          .contains("\"type\":\"correct\"", "\"type\":\"reject\"", "invalid_reply");
      assertThat(log).contains("turn2/words {\"n\":1}");
    }

    int writes = 1;
    for (boolean survived = false; !survived && writes < MOST_WRITES; writes++) {
      World world = new World(formed);
      survived = new Life(world, writes).talk();
      if (!survived) {
        world.time.advance(Duration.ofMinutes(1));
        assertThat(new Life(world, -1).talk()).as("goes on after write %d", writes).isTrue();
      }
      assertThat(transcript(world)).as("killed after write %d", writes).isEqualTo(expected);
      assertThat(told(world)).as("log, killed after write %d", writes).isEqualTo(log);
      assertThat(world.deeds.values())
          .as("deeds, killed after write %d", writes)
          .hasSize(6)
          .containsOnly(1);
    }
    assertThat(writes).isBetween(30, MOST_WRITES - 1);
  }
}
