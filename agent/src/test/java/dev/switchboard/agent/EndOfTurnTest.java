package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// How turns end while tools are required before, in conversations.
class EndOfTurnTest extends ScriptedTalk {
  private static final Message FIRST = new Message.Notice("Before the end, call save_it.");
  private static final Message SECOND =
      new Message.Notice("Last reminder: call save_it now, before anything else.");

  private final Tool pay =
      Tool.dynamic("pay")
          .parallel(false)
          .handler(arguments -> {
            ran.add("pay");
            return ToolResult.builder(true).terminal(true).message("It is paid.").build();
          });
  private final Tool saveWhat =
      Tool.dynamic(
              "save_it",
              """
              {"type":"object","properties":{"what":{"type":"string"}},"required":["what"]}\
              """)
          .handler(arguments -> {
            ran.add("save_it");
            return "saved";
          });

  private AgentBuilder saving(Tool... tools) {
    return agent(tools).rules(ToolRule.exitAfter("end_it"), ToolRule.requiredBeforeExit("save_it"));
  }

  private Conversation talk(AgentBuilder agent) {
    return agent.build().conversation("c");
  }

  private AgentBuilder saving() {
    return saving(tool("end_it"), tool("save_it"), tool("get_it"), pay);
  }

  private Message lastRead(int request) {
    return model.requests().get(request).messages().getLast();
  }

  private List<Message> notices() {
    return model.lastRequest().messages().stream()
        .filter(Message.Notice.class::isInstance)
        .toList();
  }

  private String done() {
    assertThat(events.getLast()).isInstanceOf(Event.Done.class);
    return events.getLast().json().tree().path("payload").toString();
  }

  private List<String> shown() {
    return events.stream()
        .filter(Event.Content.class::isInstance)
        .map(event -> ((Event.Content) event).content())
        .toList();
  }

  @Test
  void remindsInTheVeryNextRequestWhereAnExitIsHeldBack() {
    model.says("Goodbye!").and().calls("end_it", "{}").calls("save_it", "{}");

    assertThat(talk(saving()).say("Go", events::add)).isEqualTo(new Turn.Reply("Goodbye!"));
    assertThat(ran).containsExactly("end_it", "save_it");
    assertThat(lastRead(1)).isEqualTo(FIRST);
    assertThat(shown()).containsExactly("Goodbye!");
    assertThat(done()).isEqualTo("{\"stopReason\":\"tool_rule\"}");
    model.assertDone();
  }

  @Test
  void aTerminalFailureWithoutAMessageIsTheSentenceOfItsError() {
    Tool declined =
        Tool.dynamic("decline")
            .handler(
                arguments -> ToolResult.builder(false).error("The card was declined.").build());
    model.calls("decline", "{}");

    assertThat(talk(agent(declined)).say("Go", events::add))
        .isEqualTo(new Turn.Reply("The card was declined."));
    assertThat(shown()).containsExactly("The card was declined.");
    assertThat(done()).isEqualTo("{\"stopReason\":\"terminal_result\"}");
  }

  @Test
  void keepsReasonAndMessageOfATerminalResultThatIsHeldBack() {
    model.calls("pay", "{}").says("Saving.").and().calls("save_it", "{}");

    assertThat(talk(saving()).say("Go", events::add)).isEqualTo(new Turn.Reply("It is paid."));
    assertThat(ran).containsExactly("pay", "save_it");
    assertThat(lastRead(1)).isEqualTo(FIRST);
    assertThat(shown()).containsExactly("Saving.", "It is paid.");
    assertThat(done()).isEqualTo("{\"stopReason\":\"terminal_result\"}");
    model.assertDone();
  }

  private final Tool close =
      Tool.dynamic("end_it")
          .parallel(false)
          .handler(arguments -> {
            ran.add("end_it");
            return ToolResult.builder(true).message("All done.").build();
          });
  private final Tool save =
      Tool.dynamic("save_it")
          .parallel(false)
          .handler(arguments -> {
            ran.add("save_it");
            return ToolResult.builder(true).message("Nobody reads this.").build();
          });

  @Test
  void saysTheMessageOfAToolThatEndsTheLoop() {
    model.calls("end_it", "{}");
    Conversation talk = talk(agent(close).rules(ToolRule.exitAfter("end_it")));

    assertThat(talk.say("Go", events::add)).isEqualTo(new Turn.Reply("All done."));
    assertThat(shown()).containsExactly("All done.");
    assertThat(done()).isEqualTo("{\"stopReason\":\"tool_rule\"}");
  }

  @Test
  void saysItAlsoWhereTheExitIsHeldBack() {
    model.calls("end_it", "{}").calls("save_it", "{}");

    assertThat(talk(saving(close, save)).say("Go", events::add))
        .isEqualTo(new Turn.Reply("All done."));
    assertThat(ran).containsExactly("end_it", "save_it");
    assertThat(done()).isEqualTo("{\"stopReason\":\"tool_rule\"}");
  }

  @Test
  void exitsInTheRoundThatMeetsTheLastRequirement() {
    model.calls("pay", "{}").and().calls("save_it", "{}").and().calls("get_it", "{}");

    Tool save =
        Tool.dynamic("save_it")
            .parallel(false)
            .handler(arguments -> {
              ran.add("save_it");
              return "saved";
            });

    assertThat(talk(saving(pay, save, tool("get_it"), tool("end_it"))).say("Go", events::add))
        .isEqualTo(new Turn.Reply("It is paid."));
    assertThat(ran).containsExactly("pay", "save_it");
    assertThat(done()).isEqualTo("{\"stopReason\":\"terminal_result\"}");
    model.assertDone();
  }

  @Test
  void holdsTheFirstExitOfSeveral() {
    model.calls("pay", "{}").calls("end_it", "{}").calls("save_it", "{}");

    assertThat(talk(saving()).say("Go", events::add)).isEqualTo(new Turn.Reply("It is paid."));
    assertThat(lastRead(1)).isEqualTo(FIRST);
    assertThat(lastRead(2)).isEqualTo(SECOND);
    assertThat(done()).isEqualTo("{\"stopReason\":\"terminal_result\"}");
  }

  @Test
  void remindsMoreStronglyTheSecondTimeAndCallsItselfTheThird() {
    model.says("Bye.").calls("end_it", "{}").says("Really bye.");

    assertThat(talk(saving()).say("Go", events::add)).isEqualTo(new Turn.Reply("Really bye."));
    assertThat(lastRead(1)).isEqualTo(FIRST);
    assertThat(lastRead(2)).isEqualTo(SECOND);
    assertThat(ran).containsExactly("end_it", "save_it");
    assertThat(done()).isEqualTo("{\"stopReason\":\"tool_rule\"}");
    model.assertDone();
  }

  @Test
  void callsRequiredToolThirdTimeAndKeepsHeldMessage() {
    model.calls("pay", "{}").says("Done.").says("Done!");

    assertThat(talk(saving()).say("Go", events::add)).isEqualTo(new Turn.Reply("It is paid."));
    assertThat(ran).containsExactly("pay", "save_it");
    assertThat(shown()).containsExactly("Done.", "Done!", "It is paid.");
    assertThat(done()).isEqualTo("{\"stopReason\":\"terminal_result\"}");
  }

  @Test
  void goesOnWithoutAReminderWhereNothingWantsToEnd() {
    model.calls("end_it", "{}").calls("get_it", "{}").calls("save_it", "{}");
    Turn turn = talk(saving()).say("Go", events::add);

    assertThat(turn).isInstanceOf(Turn.Reply.class);
    assertThat(notices()).containsExactly(FIRST);
    assertThat(done()).isEqualTo("{\"stopReason\":\"tool_rule\"}");
  }

  @Test
  void namesWhatItCannotCallItself() {
    model.says("Bye.").says("Bye!").calls("end_it", "{}");
    Conversation talk = talk(saving(tool("end_it"), saveWhat));

    assertThat(talk.say("Go", events::add)).isEqualTo(new Turn.Reply(""));
    assertThat(ran).containsExactly("end_it");
    assertThat(done()).isEqualTo("{\"stopReason\":\"tool_rule\",\"unmet\":[\"save_it\"]}");
    assertThat(talk.state().last().unmet()).containsExactly("save_it");
  }

  @Test
  void callsThemInTheOrderThatTheirRulesAskFor() {
    model.says("1").says("2").says("3");
    AgentBuilder agent =
        agent(tool("close_it"), tool("open_it"))
            .rules(
                ToolRule.requiredBeforeExit("close_it").priority(9),
                ToolRule.requiredBeforeExit("open_it"),
                ToolRule.after("close_it", "open_it"));

    assertThat(talk(agent).say("Go", events::add)).isEqualTo(new Turn.Reply("3"));
    assertThat(ran).containsExactly("open_it", "close_it");
    assertThat(done()).isEqualTo("{\"stopReason\":\"end_turn\"}");
  }

  @Test
  void tellsOfWhatIsUnmetAtALimit() {
    model.calls("get_it", "{\"n\":1}").calls("end_it", "{}");
    AgentBuilder agent = saving().limits(AgentLimits.DEFAULT.withIterations(2));

    assertThat(reason(talk(agent).say("Go", events::add))).isEqualTo(StopReason.MAX_ITERATIONS);
    assertThat(done()).isEqualTo("{\"stopReason\":\"max_iterations\",\"unmet\":[\"save_it\"]}");
    assertThat(ran).containsExactly("get_it", "end_it");
  }

  @Test
  void tellsOfWhatIsUnmetWhereTheModelFails() {
    model.fails(ModelException.Kind.REFUSED).fails(ModelException.Kind.TIMEOUT);
    Conversation talk = talk(saving());

    assertThat(reason(talk.say("Go", events::add))).isEqualTo(StopReason.MODEL_ERROR);
    assertThat(done()).isEqualTo("{\"stopReason\":\"model_error\",\"unmet\":[\"save_it\"]}");
    assertThat(reason(talk.say("Go", events::add))).isEqualTo(StopReason.MODEL_TIMEOUT);
    assertThat(done()).isEqualTo("{\"stopReason\":\"model_timeout\",\"unmet\":[\"save_it\"]}");
  }

  @Test
  void tellsOfWhatIsUnmetWhereTheTurnIsCancelled() {
    model.blocks().and().says("late");
    Conversation talk = talk(saving());
    CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> talk.say("Go", events::add));
    model.awaitRequests(1);
    talk.cancel();

    assertThat(reason(turn.join())).isEqualTo(StopReason.CANCELLED);
    assertThat(done()).isEqualTo("{\"stopReason\":\"cancelled\",\"unmet\":[\"save_it\"]}");
    assertThat(ran).isEmpty();
  }

  @Test
  void tellsOfWhatIsUnmetWhereTheUserHangsUp() {
    model.calls("local_run", "{}");
    Conversation talk = talk(saving(tool("local_run"), tool("save_it"), tool("end_it")));
    assertThat(talk.say("Go")).isInstanceOf(Turn.Pending.class);

    assertThat(reason(talk.hangUp(events::add))).isEqualTo(StopReason.CANCELLED);
    assertThat(done()).isEqualTo("{\"stopReason\":\"cancelled\",\"unmet\":[\"save_it\"]}");
    assertThat(ran).isEmpty();
  }

  @Test
  void tellsOfWhatIsUnmetWhereTheUserHangsUpOnTheModel() {
    model.blocks().and().says("late");
    Conversation talk = talk(saving());
    CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> talk.say("Go", events::add));
    model.awaitRequests(1);

    assertThat(reason(talk.hangUp())).isEqualTo(StopReason.CANCELLED);
    assertThat(reason(turn.join())).isEqualTo(StopReason.CANCELLED);
    assertThat(done()).isEqualTo("{\"stopReason\":\"cancelled\",\"unmet\":[\"save_it\"]}");
  }

  @Test
  void holdsAnExitBackOverAPersonsAnswerAndARestart() {
    InProcessConversations store = new InProcessConversations();
    Tool save =
        Tool.dynamic("save_it")
            .handler(arguments -> {
              ran.add("save_it");
              return "saved";
            });
    model.calls("pay", "{}").calls("save_it", "{}");
    AgentBuilder agent = saving(pay, save, tool("end_it")).rules(ToolRule.consent("save_it"));
    Turn.Pending pending = (Turn.Pending) talk(agent.store(store)).say("Go");

    Conversation again = talk(agent);
    assertThat(again.answer(pending.requests().getFirst().id(), Answer.approveOnce(), events::add))
        .isEqualTo(new Turn.Reply("It is paid."));
    assertThat(ran).containsExactly("pay", "save_it");
    assertThat(done()).isEqualTo("{\"stopReason\":\"terminal_result\"}");
  }

  @Test
  void givesEveryCallOfACancelledTurnOneResult() {
    List<String> settled = new ArrayList<>();
    model
        .calls("update_it", "{\"n\":1}")
        .and()
        .calls("update_it", "{\"n\":2}")
        .and()
        .calls("get_it", "{}")
        .says("Next.");
    Conversation[] talk = new Conversation[1];
    Tool update =
        Tool.dynamic("update_it")
            .handler(arguments -> {
              ran.add("update_it" + arguments);
              talk[0].cancel();
              throw new IllegalStateException("broken");
            });
    talk[0] = talk(agent(update, tool("get_it")));
    Turn turn =
        talk[0].say(
            "Go",
            event -> {
              if (event instanceof Event.ToolSettled done) {
                settled.add(done.result().callId());
              }
            });

    assertThat(reason(turn)).isEqualTo(StopReason.CANCELLED);
    assertThat(ran).containsExactly("update_it{\"n\":1}");
    assertThat(settled).containsExactlyInAnyOrder("call_1_1_1", "call_1_1_2", "call_1_1_3");
    assertThat(talk[0].say("And now?")).isEqualTo(new Turn.Reply("Next."));
    ModelRequest next = model.lastRequest();
    assertThat(next.messages()).filteredOn(Message.Result.class::isInstance).hasSize(3);
  }
}
