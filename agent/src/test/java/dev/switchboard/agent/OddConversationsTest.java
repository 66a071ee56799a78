package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OddConversationsTest {
  private final ManualTime time = new ManualTime();
  private final ScriptedModel model = new ScriptedModel(time);
  private final InProcessConversations store = new InProcessConversations();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final List<Event> events = new ArrayList<>();

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .handler(arguments -> {
          ran.add(name);
          return name + " done";
        });
  }

  private AgentBuilder agent(Tool... tools) {
    return Agent.builder("test").model(model).tools(tools).time(time);
  }

  private static List<String> callIds(List<Message> messages) {
    return messages.stream()
        .filter(Message.Assistant.class::isInstance)
        .flatMap(message -> ((Message.Assistant) message).calls().stream())
        .map(RequestedCall::id)
        .toList();
  }

  @Test
  void givesNoCallAnIdThatAProviderMadeUpLikeOurs() {
    model
        .calls("call_1_1_2", "get_it", "{\"n\":1}")
        .and()
        .calls("", "get_it", "{\"n\":2}")
        .calls("call_1_3_1", "get_it", "{\"n\":3}")
        .calls("", "get_it", "{\"n\":4}")
        .says("Done.");
    Conversation talk = agent(tool("get_it")).build().conversation("c");
    talk.say("Go");

    assertThat(callIds(talk.history())).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void tellsOfItsOwnCallsWhereAProviderUsesTheirIds() {
    model.calls("auto_1_1_load", "get_it", "{}").says("1").says("2").says("3");
    Conversation talk =
        agent(tool("load"), tool("get_it"))
            .rules(ToolRule.requiredBeforeExit("load"))
            .build()
            .conversation("c");
    talk.say("Go");

    assertThat(ran).containsExactly("get_it", "load");
    assertThat(callIds(talk.history())).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void takesNoResultOfAnotherHostsCallForItsOwn() {
    model.calls("get_it", "{}").says("Done.");
    Agent agent = agent(tool("get_it"), tool("get_other")).store(store).build();
    ToolSession session = ToolSession.builder("c").store(store).build();
    session.nextTurn();
    ToolResult other =
        agent.executor().execute(ToolCall.of("call_1_1_1", "get_other", "{}"), session);
    assertThat(other.success()).isTrue();
    agent.conversation("c").say("Go");

    assertThat(ran).containsExactly("get_other", "get_it");
  }

  @Test
  void givesUpWhereAProviderWantsToBeLeftAloneForEver() {
    for (Duration pause : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(106_751))) {
      ScriptedModel busy =
          new ScriptedModel(time).fails(ModelException.Kind.RATE_LIMITED, pause).says("never");
      Turn turn = agent().model(busy).build().conversation("c").say("Hi");

      assertThat(turn)
          .isInstanceOfSatisfying(
              Turn.Stopped.class,
              stopped -> assertThat(stopped.reason()).isEqualTo(StopReason.MODEL_ERROR));
      assertThat(busy.requests()).hasSize(1);
    }
  }

  @Test
  void asksAgainAtOnceWhereThePauseIsNone() {
    model
        .fails(ModelException.Kind.RATE_LIMITED, Duration.ZERO)
        .fails(ModelException.Kind.RATE_LIMITED, Duration.ofSeconds(-5))
        .says("There.");

    assertThat(agent().build().conversation("c").say("Hi")).isEqualTo(new Turn.Reply("There."));
  }

  @Test
  void endsWithDoneWhereASentenceIsRefused() {
    model.calls("local_run", "{}");
    Conversation talk = agent(tool("local_run")).build().conversation("c");
    talk.say("Run it");
    talk.say("And?", events::add);

    assertThat(events.getFirst()).isInstanceOf(Event.Failed.class);
    assertThat(events.getLast()).isInstanceOf(Event.Done.class);
    assertThat(events).hasSize(2);
  }

  @Test
  void endsATurnOnceWhereWhatWaitedIsDenied() {
    model.calls("local_run", "{}").says("Next.");
    Conversation talk = agent(tool("local_run")).denyPending(true).build().conversation("c");
    talk.say("Run it");
    talk.say("No", events::add);

    assertThat(events)
        .filteredOn(Event.Done.class::isInstance)
        .extracting(event -> event.json().text())
        .noneMatch(text -> text.contains("consent_pending"));
  }

  @Test
  void leavesNoCallWithoutAResultWhereItRunsElsewhere() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Tool slow =
        Tool.dynamic("local_slow")
            .handler(arguments -> {
              running.countDown();
              goOn.await();
              return "done";
            });
    model.calls("local_slow", "{}").says("Ran.").says("Next.");
    Agent here = agent(slow).denyPending(true).store(store).build();
    Agent there = agent(slow).store(store).build();
    Turn.Pending pending = (Turn.Pending) here.conversation("c").say("Run it");
    ToolSession session = ToolSession.builder("c").store(store).build();
    CompletableFuture<Void> answer =
        CompletableFuture.runAsync(() ->
            there
                .executor()
                .answer(pending.requests().getFirst().id(), Answer.approveOnce(), session));
    running.await();
    Turn refused = here.conversation("c").say("Leave it");
    goOn.countDown();
    answer.join();

    assertThat(refused).isInstanceOf(Turn.Pending.class);
    assertThat(here.conversation("c").resume()).isEqualTo(new Turn.Reply("Ran."));
  }

  @Test
  void keepsTheConversationThatCameAfterOneThatIsClosedTwice() {
    Agent agent = agent().build();
    Conversation first = agent.conversation("c");
    first.close();
    Conversation second = agent.conversation("c");
    first.close();

    assertThat(agent.conversation("c")).isSameAs(second);
  }

  @Test
  void namesTheLineThatCannotBeRead() {
    store.append("c", 0, new Line("turn1/input", Json.text("{\"v\":7,\"type\":\"said\"}")));

    assertThatThrownBy(() -> agent().store(store).build().conversation("c"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Conversation 'c': its line 'turn1/input' is of version 7, and only version 1 can be"
                + " read.");
  }

  @Test
  void namesADamagedLine() {
    for (String entry :
        List.of(
            "{\"v\":1",
            "[]",
            "{\"v\":1,\"type\":\"closed\",\"reason\":\"x\"}",
            "{\"v\":1,\"type\":\"replied\",\"reply\":{},\"ids\":[\"a\"]}",
            "{\"v\":1,\"type\":\"ended\",\"messages\":[{\"role\":\"x\"}]}")) {
      InProcessConversations damaged = new InProcessConversations();
      damaged.append("c", 0, new Line("turn1/input", Json.text(entry)));

      assertThatThrownBy(() -> agent().store(damaged).build().conversation("c"))
          .as(entry)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Conversation 'c': its line 'turn1/input' is damaged.");
    }
  }
}
