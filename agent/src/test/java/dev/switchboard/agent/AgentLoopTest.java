package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AgentLoopTest extends ScriptedTalk {
  @Test
  void countsAnInputThatIsDeliveredTwiceOnce() {
    model.says("One.").says("Two.");
    Conversation talk = talk();
    Input input = new Input.Said("message-7", "Hi");

    Turn first = talk.take(input, null);
    assertThat(talk.take(input, null)).isEqualTo(first).isEqualTo(new Turn.Reply("One."));
    assertThat(talk.take(new Input.Said("message-8", "Hi"), null))
        .isEqualTo(new Turn.Reply("Two."));
    assertThat(talk.history()).hasSize(4);
  }

  @Test
  void asksAPassingModelAgainAfterThePauseThatItWants() {
    model
        .fails(ModelException.Kind.RATE_LIMITED, Duration.ofSeconds(2))
        .fails(ModelException.Kind.UNAVAILABLE)
        .says("There.");

    assertThat(talk().say("Hi")).isEqualTo(new Turn.Reply("There."));
    assertThat(model.requests()).hasSize(3);
  }

  @Test
  void givesUpWhereThePauseIsLongerThanItMayWait() {
    model.fails(ModelException.Kind.RATE_LIMITED, Duration.ofSeconds(31)).says("never");

    assertThat(reason(talk().say("Hi"))).isEqualTo(StopReason.MODEL_ERROR);
    assertThat(model.requests()).hasSize(1);
  }

  @Test
  void givesUpAfterThreeAttempts() {
    model
        .fails(ModelException.Kind.UNAVAILABLE)
        .fails(ModelException.Kind.BROKEN)
        .fails(ModelException.Kind.UNAVAILABLE)
        .says("never");

    assertThat(reason(talk().say("Hi"))).isEqualTo(StopReason.MODEL_ERROR);
    assertThat(model.requests()).hasSize(3);
  }

  @Test
  void doesNotAskAgainOnceWordsWereHeard() {
    model.says("Half a").and().fails(ModelException.Kind.BROKEN).says("never");

    assertThat(reason(talk().say("Hi", events::add))).isEqualTo(StopReason.MODEL_ERROR);
    assertThat(model.requests()).hasSize(1);
  }

  @Test
  void stopsAModelThatTakesTooLong() {
    model.blocks().and().says("late");
    Conversation talk =
        agent()
            .limits(AgentLimits.DEFAULT.withModelTimeout(Duration.ofSeconds(5)))
            .build()
            .conversation("c");
    CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> talk.say("Hi", events::add));
    model.awaitRequests(1);
    time.awaitSleepers(2);
    time.advance(Duration.ofSeconds(5));

    assertThat(reason(turn.join())).isEqualTo(StopReason.MODEL_TIMEOUT);
    assertThat(events).hasAtLeastOneElementOfType(Event.BudgetExhausted.class);
    assertThat(talk.history()).last().isInstanceOf(Message.Assistant.class);
  }

  @Test
  void saysWhatATerminalResultHasForThePerson() {
    Tool book =
        Tool.dynamic("get_table")
            .handler(arguments ->
                ToolResult.builder(true).terminal(true).message("It is yours.").build());
    model.says("One moment.").and().calls("get_table", "{}");

    assertThat(talk(book).say("A table!", events::add)).isEqualTo(new Turn.Reply("It is yours."));
    assertThat(events)
        .filteredOn(Event.Content.class::isInstance)
        .containsExactly(new Event.Content("One moment."), new Event.Content("It is yours."));
    assertThat(events.getLast().json().text()).contains("terminal_result");
  }

  @Test
  void givesCallsIdsOfItsOwn() {
    model
        .calls("", "get_it", "{}")
        .and()
        .calls("same", "get_it", "{\"n\":1}")
        .and()
        .calls("same", "get_it", "{\"n\":2}")
        .says("Done.");
    talk(tool("get_it")).say("Go", events::add);

    assertThat(events)
        .filteredOn(Event.ToolCalled.class::isInstance)
        .extracting(event -> ((Event.ToolCalled) event).call().id())
        .containsExactly("call_1_1_1", "call_1_1_2", "call_1_1_3");
    assertThat(model.lastRequest().messages())
        .filteredOn(Message.Result.class::isInstance)
        .extracting(message -> ((Message.Result) message).callId())
        .containsExactly("call_1_1_1", "same", "call_1_1_3");
  }

  @Test
  void tellsTheModelItsPromptItsToolsAndItsRules() {
    model.says("Hello.");
    Tool check = Tool.dynamic("get_table").usageRule("Ask for the day first.").handler(a -> "x");
    agent(check)
        .prompt("You work for {house}. {unknown}")
        .variable("house", "Da\nEnzo")
        .rules(ToolRule.maxCalls("get_table", 3))
        .build()
        .conversation("c")
        .say("Hi");

    assertThat(((Message.System) model.lastRequest().messages().getFirst()).text())
        .isEqualTo(
            """
            You work for DaEnzo. {unknown}

            # Tools
            - get_table: Ask for the day first.

            # Tool rules
            - Call get_table at most 3 times in a conversation.\
            """);
  }
}
