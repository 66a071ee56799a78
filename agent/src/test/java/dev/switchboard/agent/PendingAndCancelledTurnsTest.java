package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PendingAndCancelledTurnsTest extends ScriptedTalk {
  @Test
  void cancelsAModelThatIsAsked() {
    model.blocks().and().says("late").says("Next.");
    Conversation talk = talk();
    CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> talk.say("Hi"));
    model.awaitRequests(1);
    talk.cancel();

    assertThat(reason(turn.join())).isEqualTo(StopReason.CANCELLED);
    assertThat(talk.say("And now?")).isEqualTo(new Turn.Reply("Next."));
  }

  @Test
  void cancelsRunningCallsAndSettlesEveryOne() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(2);
    Tool slow =
        Tool.dynamic("get_slow")
            .handler(arguments -> {
              running.countDown();
              new CountDownLatch(1).await();
              return "never";
            });
    model.calls("get_slow", "{\"n\":1}").and().calls("get_slow", "{\"n\":2}").says("Next.");
    Conversation talk = talk(slow);
    CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> talk.say("Go", events::add));
    running.await();
    talk.cancel();

    assertThat(reason(turn.join())).isEqualTo(StopReason.CANCELLED);
    assertThat(events)
        .filteredOn(Event.ToolSettled.class::isInstance)
        .extracting(event -> ((Event.ToolSettled) event).result().code())
        .hasSize(2)
        .allMatch(code -> code != null && code.word().equals("cancelled"));
    assertThat(talk.say("And now?")).isEqualTo(new Turn.Reply("Next."));
  }

  @Test
  void deniesWhatWaitsInATurnThatIsCancelled() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    Tool slow =
        Tool.dynamic("get_slow")
            .handler(arguments -> {
              running.countDown();
              new CountDownLatch(1).await();
              return "never";
            });
    model.calls("local_run", "{}").and().calls("get_slow", "{}").says("Next.");
    Conversation talk = talk(slow, tool("local_run"));
    CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> talk.say("Go", events::add));
    running.await();
    talk.cancel();

    assertThat(reason(turn.join())).isEqualTo(StopReason.CANCELLED);
    assertThat(events).filteredOn(Event.ToolSettled.class::isInstance).hasSize(2);
    assertThat(talk.waiting()).isEmpty();
    assertThat(talk.say("And now?")).isEqualTo(new Turn.Reply("Next."));
  }

  @Test
  void cutsTheModelOffWhereTheUserHangsUp() {
    model.blocks().and().says("late");
    Conversation talk = talk();
    CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> talk.say("Hi"));
    model.awaitRequests(1);

    assertThat(reason(talk.hangUp())).isEqualTo(StopReason.CANCELLED);
    assertThat(reason(turn.join())).isEqualTo(StopReason.CANCELLED);
  }

  @Test
  void isNotCancelledByACancelBetweenTurns() {
    model.says("One.");
    Conversation talk = talk();
    talk.cancel();

    assertThat(talk.say("Hi")).isEqualTo(new Turn.Reply("One."));
  }

  @Test
  void deniesWhatWaitsWhereTheUserGoesOn() {
    model.calls("local_run", "{}").says("Next.");
    Conversation talk = agent(tool("local_run")).denyPending(true).build().conversation("c");
    assertThat(talk.say("Run it")).isInstanceOf(Turn.Pending.class);

    assertThat(talk.say("No, leave it")).isEqualTo(new Turn.Reply("Next."));
    assertThat(ran).isEmpty();
    assertThat(talk.history())
        .extracting(message -> message.getClass().getSimpleName())
        .containsExactly("User", "Assistant", "Result", "Assistant", "User", "Assistant");
  }

  @Test
  void goesOnWhereNoOneHasAnsweredInTime() {
    model.calls("local_run", "{}").says("Then not.");
    Conversation talk = talk(tool("local_run"));
    assertThat(talk.say("Run it")).isInstanceOf(Turn.Pending.class);
    time.advance(Duration.ofMinutes(5));

    assertThat(talk.resume(events::add)).isEqualTo(new Turn.Reply("Then not."));
    assertThat(ran).isEmpty();
  }

  @Test
  void runsTheOthersOfARoundWhileOneWaits() {
    model.calls("get_it", "{}").and().calls("local_run", "{}").says("Both.");
    Conversation talk = talk(tool("get_it"), tool("local_run"));
    Turn.Pending pending = (Turn.Pending) talk.say("Go");
    assertThat(ran).containsExactly("get_it");

    talk.answer(pending.requests().getFirst().id(), Answer.deny("not today"));

    assertThat(ran).containsExactly("get_it");
    assertThat(model.lastRequest().messages().getLast())
        .isInstanceOfSatisfying(
            Message.Result.class, result -> assertThat(result.text()).contains("not today"));
  }

  @Test
  void asksAnApproverWithinTheTurn() {
    model.calls("local_run", "{}").says("Ran.");
    Conversation talk =
        agent(tool("local_run"))
            .approver(request -> Answer.approveOnce())
            .build()
            .conversation("c");

    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Ran."));
    assertThat(ran).containsExactly("local_run");
  }

  @Test
  void hangsUpOnWhatWaits() {
    model.calls("local_run", "{}");
    Conversation talk = talk(tool("local_run"));
    talk.say("Run it");

    assertThat(reason(talk.hangUp())).isEqualTo(StopReason.CANCELLED);
    assertThat(ran).isEmpty();
    assertThat(talk.waiting()).isEmpty();
  }
}
