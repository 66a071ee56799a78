package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ConversationTest {
  private final ScriptedModel model = new ScriptedModel();
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
    return Agent.builder("test").model(model).tools(tools);
  }

  private String types() {
    return String.join(
        " ", events.stream().map(event -> event.json().tree().path("type").asString()).toList());
  }

  @Test
  void answersWithTheModelsWords() {
    model.says("Hello, ", "Ada.");
    Conversation talk = agent().build().conversation("c");

    assertThat(talk.say("I am Ada", events::add)).isEqualTo(new Turn.Reply("Hello, Ada."));

    assertThat(types()).isEqualTo("agent content content done");
    assertThat(talk.history())
        .containsExactly(
            new Message.User("I am Ada"), new Message.Assistant("Hello, Ada.", List.of()));
  }

  @Test
  void runsToolsAndHandsTheirResultsBack() {
    model
        .says("Let me see.")
        .and()
        .calls("get_a", "{}")
        .and()
        .calls("get_b", "{}")
        .says("Both done.");
    Conversation talk = agent(tool("get_a"), tool("get_b")).build().conversation("c");

    assertThat(talk.say("Go", events::add)).isEqualTo(new Turn.Reply("Both done."));

    assertThat(ran).containsExactlyInAnyOrder("get_a", "get_b");
    assertThat(model.lastRequest().messages())
        .extracting(message -> message.getClass().getSimpleName())
        .containsExactly("User", "Assistant", "Result", "Result");
    model.assertDone();
  }

  @Test
  void beginsNoTurnWhereTheLogShowsAnEvent() {
    model.says("One.");
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    Conversation[] talk = new Conversation[1];
    talk[0] =
        agent()
            .store(new InProcessConversations())
            .build()
            .conversation(
                "c",
                ConversationOptions.NONE.withLog(
                    event -> thrown.add(catchThrowable(() -> talk[0].say("Within")))));

    assertThat(talk[0].say("Go")).isEqualTo(new Turn.Reply("One."));

    assertThat(thrown)
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one).hasMessage("a turn cannot begin within another one"));
  }

  @Test
  void waitsForAPersonAndGoesOn() {
    model.calls("local_run", "{}").says("Ran it.");
    Conversation talk = agent(tool("local_run")).build().conversation("c");

    Turn.Pending pending = (Turn.Pending) talk.say("Run it");
    assertThat(ran).isEmpty();
    assertThat(talk.say("And now?")).isEqualTo(pending);
    String id = pending.requests().getFirst().id();
    assertThatThrownBy(() -> talk.answer("other", Answer.approveOnce()))
        .hasMessageContaining("'other'");
    assertThat(talk.answer(id, Answer.approveOnce())).isEqualTo(new Turn.Reply("Ran it."));
    assertThat(ran).containsExactly("local_run");
  }

  @Test
  void stopsWithASentenceWhereTheModelFails() {
    model.fails(ModelException.Kind.REFUSED).says("Better now.");
    Conversation talk = agent().build().conversation("c");

    Turn.Stopped stopped = (Turn.Stopped) talk.say("Hi", events::add);
    assertThat(stopped.reason()).isEqualTo(StopReason.MODEL_ERROR);
    assertThat(stopped.text()).isNotBlank();
    assertThat(types()).isEqualTo("agent error done");
    assertThat(talk.say("Hi again")).isEqualTo(new Turn.Reply("Better now."));
  }

  @Test
  void stopsAfterTheMostRoundsWithASentence() {
    model.calls("get_a", "{\"n\":1}").says("never");
    Conversation talk =
        agent(tool("get_a"))
            .limits(AgentLimits.DEFAULT.withIterations(1))
            .build()
            .conversation("c");

    Turn.Stopped stopped = (Turn.Stopped) talk.say("Go", events::add);
    assertThat(stopped.reason()).isEqualTo(StopReason.MAX_ITERATIONS);
    assertThat(stopped.text())
        .isEqualTo("I have to stop here: this takes more than 1 step, which is my limit.");
    assertThat(types()).endsWith("tool_result budget_exhausted done");
  }

  @Test
  void remindsOfWhatIsRequiredAndRunsItAtLast() {
    model.says("Bye.").says("Bye!").says("Bye!!");
    Conversation talk =
        agent(tool("save_it"))
            .rules(ToolRule.requiredBeforeExit("save_it"))
            .build()
            .conversation("c");

    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Bye!!"));
    assertThat(ran).containsExactly("save_it");
    assertThat(talk.history()).filteredOn(Message.Notice.class::isInstance).hasSize(2);
  }

  @Test
  void beginsWithWhatItsRulesBeginWithAndTellsTheModel() {
    model.says("Hi Ada.");
    Conversation talk =
        agent(tool("load_customer"))
            .rules(ToolRule.startWith("load_customer"))
            .build()
            .conversation("c");

    assertThat(talk.say("Hi")).isEqualTo(new Turn.Reply("Hi Ada."));
    assertThat(model.lastRequest().messages())
        .extracting(message -> message.getClass().getSimpleName())
        .containsExactly("System", "User", "Assistant", "Result");
    assertThat(model.lastRequest().choice()).isEqualTo(ModelRequest.ToolChoice.AUTO);
  }

  @Test
  void offersNothingButWhatHasToComeFirst() {
    String needsAName =
        "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},"
            + "\"required\":[\"name\"]}";
    Tool load = Tool.dynamic("load_customer", needsAName).handler(arguments -> "loaded");
    model.calls("load_customer", "{\"name\":\"Ada\"}").says("Hi Ada.");
    Conversation talk =
        agent(load, tool("get_a"))
            .rules(ToolRule.startWith("load_customer"), ToolRule.forbidden("get_b"))
            .tools(tool("get_b"))
            .build()
            .conversation("c");

    assertThat(talk.say("I am Ada")).isEqualTo(new Turn.Reply("Hi Ada."));

    ModelRequest first = model.requests().getFirst();
    assertThat(first.tools()).extracting(ToolDefinition::name).containsExactly("load_customer");
    assertThat(first.choice()).isEqualTo(ModelRequest.ToolChoice.REQUIRED);
    assertThat(model.lastRequest().tools())
        .extracting(ToolDefinition::name)
        .containsExactly("load_customer", "get_a");
    assertThat(model.lastRequest().choice()).isEqualTo(ModelRequest.ToolChoice.AUTO);
  }

  @Test
  void remindsOfAStartToolOnceAfterTheSecondRefusal() {
    model.calls("get_a", "{}").calls("get_a", "{}").calls("get_a", "{}").says("Hi Ada.");
    RuleType start = new RuleType.StartConstraint(null, false);
    Conversation talk =
        agent(tool("load_customer"), tool("get_a"))
            .rules(ToolRule.of("load_customer", start))
            .build()
            .conversation("c");

    assertThat(talk.say("Hi", events::add)).isEqualTo(new Turn.Reply("Hi Ada."));
    Message reminder =
        new Message.Notice("Call load_customer first: every other tool is refused until then.");
    assertThat(model.requests())
        .extracting(request -> Collections.frequency(request.messages(), reminder))
        .containsExactly(0, 0, 1, 1);
    assertThat(ran).containsExactly("load_customer");
    assertThat(events).filteredOn(event -> event.json().text().contains("\"reminder\"")).hasSize(2);
  }

  @Test
  void endsWhereARuleEndsIt() {
    model.says("Sent.").and().calls("send_it", "{}");
    Conversation talk =
        agent(tool("send_it")).rules(ToolRule.exitAfter("send_it")).build().conversation("c");

    assertThat(talk.say("Go", events::add)).isEqualTo(new Turn.Reply("Sent."));
    assertThat(events.getLast().json().text()).contains("\"stopReason\":\"tool_rule\"");
  }

  @Test
  void leavesAConversationAloneThatAnotherProcessIsIn() throws InterruptedException {
    InProcessConversations store = new InProcessConversations();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Tool slow =
        Tool.dynamic("delete_it")
            .handler(arguments -> {
              ran.add("delete_it");
              running.countDown();
              end.await();
              return "gone";
            });
    model.calls("delete_it", "{}").says("Gone.");
    Agent here = agent(slow).store(store).build();
    Agent there = agent(slow).store(store).build();
    CompletableFuture<Turn> turn =
        CompletableFuture.supplyAsync(() -> here.conversation("c").say("Delete it"));
    running.await();

    assertThatThrownBy(() -> there.conversation("c").say("Hello"))
        .isInstanceOf(ConversationConflictException.class)
        .hasMessageContaining("if it has died, the conversation is free in");
    end.countDown();
    assertThat(turn.join()).isEqualTo(new Turn.Reply("Gone."));
    assertThat(ran).containsExactly("delete_it");
    assertThat(there.conversation("c").history()).hasSize(4);
  }

  @Test
  void givesWayToAnotherProcessThatGoesOn() {
    InProcessConversations store = new InProcessConversations();
    model.says("One.").says("Two.").says("Lost.").says("Three.");
    Agent here = agent().store(store).build();
    Conversation stale = here.conversation("c");
    stale.say("1");
    assertThat(agent().store(store).build().conversation("c").say("2"))
        .isEqualTo(new Turn.Reply("Two."));

    assertThatThrownBy(() -> stale.say("3"))
        .isInstanceOf(ConversationConflictException.class)
        .hasMessageContaining("'c'");
    assertThat(here.conversation("c").say("3")).isNotNull();
    assertThat(here.conversation("c").history()).contains(new Message.User("2"));
  }

  @Test
  void showsAgainWhatWaitsWhereItIsResumed() {
    model.calls("local_run", "{}");
    Conversation talk = agent(tool("local_run")).build().conversation("c");
    talk.say("Run it");

    assertThat(talk.resume(events::add)).isInstanceOf(Turn.Pending.class);
    assertThat(types()).isEqualTo("agent done");
  }

  @Test
  void endsAtOnceWhereNothingHasBegun() {
    assertThat(agent().build().conversation("c").hangUp().text()).isEqualTo("Cancelled.");
  }

  @Test
  void goesOnWithAStoredConversation() {
    InProcessConversations store = new InProcessConversations();
    model.says("One.").calls("local_run", "{}").says("Ran.");
    Agent first = agent(tool("local_run")).store(store).firstMessage("Hi!").build();
    assertThat(first.conversation("c").say("1")).isEqualTo(new Turn.Reply("One."));
    Turn.Pending pending = (Turn.Pending) first.conversation("c").say("2");

    Conversation again = agent(tool("local_run")).store(store).build().conversation("c");
    assertThat(again.waiting()).isEqualTo(pending.requests());
    assertThat(again.answer(pending.requests().getFirst().id(), Answer.approveOnce()))
        .isEqualTo(new Turn.Reply("Ran."));
    assertThat(again.history())
        .extracting(message -> message.getClass().getSimpleName())
        .containsExactly(
            "Assistant", "User", "Assistant", "User", "Assistant", "Result", "Assistant");
  }
}
