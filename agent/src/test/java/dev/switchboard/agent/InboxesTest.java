package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.LocalRouter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Agents that write to one another, and many that write to one.
class InboxesTest {
  private static final int SENDERS = 16;
  private static final int EACH = 50;

  private final ManualTime time = new ManualTime();
  private final LocalRouter router = new LocalRouter(time);
  private final AtomicInteger sends = new AtomicInteger();

  /// An agent that answers every message with one to the other, and says so where it could not.
  private Agent answering(String name, String other) {
    ScriptedModel model =
        ScriptedModel.answering(request -> {
          Message last = request.messages().getLast();
          if (last instanceof Message.Result result) {
            return ModelReply.text("Not sent: " + result.text());
          }
          sends.incrementAndGet();
          return ModelReply.calls(
              RequestedCall.of(
                  "",
                  "send_message",
                  "{\"target\":{\"type\":\"agent\",\"id\":\"%s\"},\"content\":\"And you?\"}"
                      .formatted(other)));
        });
    return Agent.builder(name)
        .model(model)
        .router(router)
        .time(time)
        .builtIns("send_message")
        .build();
  }

  @Test
  void twoThatAnswerEachOtherAreStoppedByTheBrake() {
    List<String> turns = new CopyOnWriteArrayList<>();
    Agent ping = answering("ping", "pong");
    Inbox toPing = Inbox.of(ping, 9, (letter, turn) -> turns.add("ping: " + turn.text()));
    Inbox toPong =
        Inbox.of(answering("pong", "ping"), 9, (letter, turn) -> turns.add("pong: " + turn.text()));
    router.agent("ping", toPing).agent("pong", toPong);

    Turn begun = ping.conversation("user").say("Talk to pong");
    toPong.close();
    toPing.close();

    assertThat(begun).isEqualTo(new Turn.Reply(""));
    assertThat(sends).hasValue(3);
    assertThat(turns).hasSize(2).contains("pong: ");
    assertThat(turns)
        .filteredOn(turn -> turn.startsWith("ping: Not sent: "))
        .singleElement()
        .asString()
        .contains("agent 'pong' was written to a moment ago, try again in 30 s");
  }

  @Test
  void aConversationWithAnAgentHasNoUserToWriteTo() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("send_message", "{\"target\":{\"type\":\"user\"},\"content\":\"Hello\"}")
            .says("So be it.");
    Agent agent = Agent.builder("Billing").model(model).builtIns("send_message").build();
    try (Inbox inbox = Inbox.of(agent)) {
      inbox.send(new Letter("1", "Waiter", "c", new Target("agent", "Billing"), "Hi", null, null));
    }

    assertThat(model.lastRequest().messages().getLast().toString())
        .contains("was not delivered: its conversation is with an agent and has no user");
    assertThat(model.requests().getFirst().messages().getLast().toString())
        .contains("If 'Waiter' needs an answer, use send_message.");
  }

  @Test
  void anAgentsUsersAreReachedThroughAnyRouter() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("send_message", "{\"target\":{\"type\":\"user\"},\"content\":\"Hello\"}");
    Agent agent =
        Agent.builder("Waiter").model(model).router(router).builtIns("send_message").build();
    router.user(agent.users());
    List<Event> events = new ArrayList<>();

    assertThat(agent.conversation("t4").say("Hi", events::add)).isEqualTo(new Turn.Reply(""));

    assertThat(events).contains(new Event.Content("Hello"));
    assertThat(router.send(new Letter("1", "x", "t5", new Target("user", ""), "Hi", null, null)))
        .isEqualTo(Delivery.failed("its conversation is not open here"));
  }

  @Test
  void ofManySendersEachIsReadOnceAndInOrder() throws Exception {
    Map<String, List<String>> read = new ConcurrentHashMap<>();
    AtomicInteger atATime = new AtomicInteger();
    ConcurrentLinkedQueue<Integer> most = new ConcurrentLinkedQueue<>();
    ScriptedModel model =
        ScriptedModel.answering(request -> {
          most.add(atATime.incrementAndGet());
          atATime.decrementAndGet();
          return ModelReply.text("ok");
        });
    Agent agent = Agent.builder("Billing").model(model).time(Time.SYSTEM).build();
    Inbox inbox =
        Inbox.of(
            agent,
            20,
            (letter, turn) ->
                read.computeIfAbsent(letter.from(), any -> new ArrayList<>()).add(letter.id()));
    List<Callable<Void>> senders =
        IntStream.range(0, SENDERS)
            .<Callable<Void>>mapToObj(i -> () -> sendAll(inbox, "s" + i))
            .toList();

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var done : threads.invokeAll(senders)) {
        done.get();
      }
    }
    inbox.close();

    assertThat(inbox.left()).isEmpty();
    assertThat(most).containsOnly(1);
    for (int i = 0; i < SENDERS; i++) {
      String sender = "s" + i;
      assertThat(read.get(sender))
          .isEqualTo(
              IntStream.range(0, EACH)
                  .mapToObj(n -> sender + "/" + n)
                  .collect(Collectors.toList()));
    }
  }

  /// Each message is sent until it is taken, and once more, as a call that is made again does.
  @SuppressWarnings("ThreadPriorityCheck") // lets the reader read
  private static Void sendAll(Inbox inbox, String sender) {
    for (int n = 0; n < EACH; n++) {
      Letter letter =
          new Letter(
              sender + "/" + n, sender, "c", new Target("agent", "Billing"), "Hi", null, null);
      while (inbox.send(letter).delivered() == 0) {
        Thread.yield();
      }
      Delivery again = inbox.send(letter);
      assertThat(again).isEqualTo(Delivery.DONE);
    }
    return null;
  }
}
