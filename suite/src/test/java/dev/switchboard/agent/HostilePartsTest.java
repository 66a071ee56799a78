package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Models, hooks, sinks and replies that do what they should not.
class HostilePartsTest {
  private final ManualTime time = new ManualTime();
  private final ScriptedModel model = new ScriptedModel(time);
  private final List<Event> events = new CopyOnWriteArrayList<>();

  @TempDir Path folder;

  private static Tool tool(String name) {
    return Tool.dynamic(name).handler(arguments -> name + " done");
  }

  private AgentBuilder agent(Tool... tools) {
    return Agent.builder("test").model(model).tools(tools).time(time);
  }

  /// Hears neither cancel nor interrupt.
  private static final class Deaf implements ChatModel {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      if (asked.getCount() == 0) {
        return ModelReply.text("Next.");
      }
      asked.countDown();
      while (goOn.getCount() > 0) {
        try {
          goOn.await();
        } catch (InterruptedException e) {
          // Deaf.
        }
      }
      stream.text("late");
      over.complete(null);
      return ModelReply.text("late");
    }
  }

  @Test
  void leavesADeafModelBehind() throws Exception {
    Deaf deaf = new Deaf();
    Conversation talk = agent().model(deaf).build().conversation("c");
    CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> talk.say("Hi", events::add));
    deaf.asked.await();
    talk.cancel();

    assertThat(turn.get(5, TimeUnit.MINUTES))
        .isEqualTo(new Turn.Stopped(StopReason.CANCELLED, "Cancelled."));
    deaf.goOn.countDown();
    deaf.over.get(5, TimeUnit.MINUTES);
    assertThat(talk.say("And now?", events::add)).isEqualTo(new Turn.Reply("Next."));
    assertThat(events)
        .filteredOn(Event.Content.class::isInstance)
        .containsExactly(new Event.Content("Next."));
  }

  @Test
  void goesOnWhereASinkThrows() {
    model.says("One", " two.").and().calls("get_it", "{}").says("Done.");

    Turn turn =
        agent(tool("get_it"))
            .build()
            .conversation("c")
            .say(
                "Go",
                event -> {
                  throw new AssertionError("no");
                });

    assertThat(turn).isEqualTo(new Turn.Reply("Done."));
  }

  @Test
  void takesWhatHooksMakeOfARequestAndAReply() {
    ModelHook garbage =
        new ModelHook() {
          @Override
          public ModelRequest beforeModel(String conversationId, ModelRequest request) {
            return new ModelRequest(List.of(), List.of(), ModelRequest.ToolChoice.NONE);
          }

          @Override
          public @Nullable ModelReply afterModel(String conversationId, ModelReply reply) {
            return reply.text().equals("call")
                ? ModelReply.calls(
                    RequestedCall.of("x", "nothing", "{"), RequestedCall.of("x", "get_it", "{}"))
                : null;
          }
        };
    model.says("call").says("Done.");
    Conversation talk = agent(tool("get_it")).hook(garbage).build().conversation("c");

    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Done."));
    FuzzedAgent.checkHistory("hooks", talk.history(), false);
  }

  @Test
  void takesUpATurnThatAnErrorOfAHookBrokeOff() {
    List<String> left = new ArrayList<>(List.of("throw"));
    ModelHook broken =
        new ModelHook() {
          @Override
          public @Nullable ModelReply afterModel(String conversationId, ModelReply reply) {
            if (left.remove("throw")) {
              throw new AssertionError("broken");
            }
            return null;
          }
        };
    model.says("One.").says("One again.").says("Two.");
    Conversation talk = agent().hook(broken).build().conversation("c");

    assertThatThrownBy(() -> talk.say("First")).isInstanceOf(AssertionError.class);
    assertThat(talk.say("Second")).isEqualTo(new Turn.Reply("Two."));
    assertThat(talk.history()).hasSize(4);
  }

  @Test
  void answersAThousandCallsOfOneReply() {
    List<RequestedCall> calls = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      calls.add(RequestedCall.of("same", "get_it", "{\"n\":" + i + "}"));
    }
    model.replies(ModelReply.calls(calls.toArray(RequestedCall[]::new))).says("Done.");
    try (ConversationStore store = Storage.sqlite(folder.resolve("s.db"), "test")) {
      Conversation talk = agent(tool("get_it")).store(store).build().conversation("c");

      assertThat(talk.say("Go", events::add)).isEqualTo(new Turn.Reply("Done."));
      assertThat(talk.history()).hasSize(1003);
      FuzzedAgent.checkHistory("thousand", talk.history(), false);
    }
    assertThat(events).filteredOn(Event.ToolSettled.class::isInstance).hasSize(1000);
  }

  @Test
  void endsAfterOneRoundWhereThatIsTheLimit() {
    model.calls("get_it", "{}");
    Conversation talk =
        agent(tool("get_it"))
            .limits(AgentLimits.DEFAULT.withIterations(1).withHistory(1))
            .build()
            .conversation("c");

    assertThat(talk.say("Go", events::add))
        .isInstanceOfSatisfying(
            Turn.Stopped.class,
            stopped -> assertThat(stopped.reason()).isEqualTo(StopReason.MAX_ITERATIONS));
    assertThat(events.getLast()).isInstanceOf(Event.Done.class);
    assertThat(talk.history()).hasSize(4);
  }

  @Test
  void endsWhereWhatIsRequiredCanNeverSucceed() {
    Tool save =
        Tool.dynamic("save_it")
            .handler(arguments -> {
              throw new IllegalStateException("full");
            });
    model
        .calls("save_it", "{}")
        .calls("send_it", "{}")
        .calls("save_it", "{}")
        .says("1")
        .says("2")
        .says("3");
    Conversation talk =
        agent(save, tool("send_it"))
            .rules(
                ToolRule.requiredBeforeExit("save_it"),
                ToolRule.maxCalls("save_it", 1),
                ToolRule.exitAfter("send_it"))
            .build()
            .conversation("c");

    Turn turn = talk.say("Go", events::add);
    assertThat(turn).isInstanceOf(Turn.Reply.class);
    assertThat(events.getLast().json().text()).contains("tool_rule").contains("save_it");
    FuzzedAgent.checkHistory("required", talk.history(), false);
    assertThat(talk.history()).filteredOn(Message.Notice.class::isInstance).hasSize(2);
  }

  @Test
  void answersWhatAModelSaysWithoutAReply() {
    ChatModel mute =
        new ChatModel() {
          @Override
          @SuppressWarnings({"NullAway", "DataFlowIssue"})
          public ModelReply reply(ModelRequest request, ReplyStream stream) {
            return null;
          }
        };

    assertThat(agent().model(mute).build().conversation("c").say("Hi"))
        .isInstanceOfSatisfying(
            Turn.Stopped.class,
            stopped -> assertThat(stopped.reason()).isEqualTo(StopReason.MODEL_ERROR));
  }
}
