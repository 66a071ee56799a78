package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Moments of a call in which two things meet.
final class CallEdgesTest {
  private final InProcessConversations store = new InProcessConversations();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch go = new CountDownLatch(1);

  private PlayedCall call(ConsentMode by, Tool... tools) {
    Agent agent = Agent.builder("Shop").prompt("You sell.").store(store).tools(tools).build();
    return new PlayedCall(agent, PlayedCall.SETTINGS.with(by)).talking();
  }

  private Tool local() {
    return Tool.dynamic("open_door")
        .mode(ToolMode.LOCAL)
        .handler(a -> "open " + runs.incrementAndGet());
  }

  @Test
  void aKeyPressedBeforeTheQuestionIsHeardIsNotAnAnswer() {
    PlayedCall call = call(ConsentMode.CALLER, local());
    call.says("i1", "Open");
    String asks = call.created();
    call.audio(asks, 3000);
    call.calls(asks, "call_1", "open_door", "{}");
    call.done(asks);
    call.until(() -> !store.waiting().isEmpty());
    call.until(() -> true);
    // The agent still speaks: the question waits, and the keys are for the model.
    call.carrier(new CarrierEvent.Pressed('1'));
    call.carrier(new CarrierEvent.Pressed('#'));
    assertThat(call.toEngine()).contains("add USER The caller pressed 1 on the keypad.");
    assertThat(store.waiting()).hasSize(1);
    call.hearsAll();
    call.speaks("One?", 100);
    // It is made of the stored request, on another thread.
    call.until(() -> call.toEngine().getLast().contains("Press 1 for yes"));
    call.advance(Duration.ofSeconds(2));
    String question = call.created();
    call.audio(question, 1000);
    call.carrier(new CarrierEvent.Pressed('1'));
    call.until(() -> runs.get() == 1);
  }

  private PlayedCall asked(ConsentMode by) {
    PlayedCall call = call(by, local());
    call.says("i1", "Open");
    String asks = call.created();
    call.calls(asks, "call_1", "open_door", "{}");
    call.done(asks);
    call.until(() -> call.responses.size() == 2);
    return call;
  }

  private static long questions(PlayedCall call) {
    return call.toEngine().stream().filter(one -> one.contains("Press 1 for yes")).count();
  }

  @Test
  void aCallerWhoDoesNotAnswerIsAskedAgainAndThenDenied() {
    PlayedCall call = asked(ConsentMode.CALLER);
    // What counts is when the question is heard.
    call.advance(Duration.ofSeconds(5));
    call.speaks("Shall I?", 100);
    call.advance(Duration.ofMillis(9_900));
    assertThat(questions(call)).isOne();
    call.advance(Duration.ofMillis(100));
    assertThat(questions(call)).isEqualTo(2);
    call.speaks("Shall I?", 100);
    call.advance(Duration.ofSeconds(10));
    call.speaks("Shall I?", 100);
    call.advance(Duration.ofMillis(9_900));
    assertThat(store.waiting()).hasSize(1);
    call.advance(Duration.ofMillis(100));
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    assertThat(call.toEngine().toString()).contains("the caller did not answer");
    assertThat(questions(call)).isEqualTo(3);
    assertThat(runs).hasValue(0);
  }

  @Test
  void aQuestionThatCannotBeHeardIsDeniedAfterTwoMinutes() {
    PlayedCall call = asked(ConsentMode.CALLER);
    for (int i = 1; i < 12; i++) {
      call.advance(Duration.ofSeconds(10));
    }
    assertThat(store.waiting()).hasSize(1);
    call.advance(Duration.ofSeconds(10));
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    assertThat(call.toEngine().toString()).contains("the caller could not be asked");
  }

  @Test
  void whereNoOneMayAgreeACallIsDeniedAtOnce() {
    PlayedCall call = asked(ConsentMode.DENY);
    assertThat(call.toEngine()).anyMatch(one -> one.startsWith("output call_1"));
    assertThat(call.toEngine().getLast()).isEqualTo("create answer AUTO");
    assertThat(questions(call)).isZero();
    assertThat(runs).hasValue(0);
  }

  @Test
  void firstAnswerWaitsForStartToolsButGreetingDoesNot() {
    Tool identify =
        Tool.dynamic("identify")
            .mode(ToolMode.READ)
            .handler(a -> {
              go.await();
              return "known";
            });
    Agent agent =
        Agent.builder("Shop")
            .firstMessage("Hi!")
            .store(store)
            .tools(identify)
            .rules(ToolRule.startWith("identify"))
            .build();
    try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
      PlayedCall call = new PlayedCall(agent, PlayedCall.SETTINGS, new Mailbox(writer));
      call.session.ring();
      call.until(() -> call.setups.isEmpty());
      call.carrier(new CarrierEvent.Connected(call.line()));
      call.until(() -> !call.setups.isEmpty());
      call.engine(new EngineEvent.Ready());
      call.until(() -> call.responses.size() == 1);
      call.speaks("Hi!", 100);
      call.says("i1", "Hello");
      assertThat(call.responses).hasSize(1);
      go.countDown();
      call.until(() -> call.responses.size() == 2);
      assertThat(call.toEngine()).contains("call identify {} -> known");
    }
  }

  @Test
  void keysBeforeAHangUpAreInTheTranscript() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    call.carrier(new CarrierEvent.Pressed('1'));
    call.carrier(new CarrierEvent.Pressed('2'));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.lines).contains("caller: [DTMF: 2 keys]");
  }

  @Test
  void withoutAnEngineTheCarrierSaysGoodbye() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    call.session.goodbye("shutdown");
    call.drain();
    call.until(() -> call.toCarrier().contains("rest say Goodbye."));
  }

  @Test
  void nothingIsCreatedAfterTheOutputOfACallThatEnds() {
    Tool slow =
        Tool.dynamic("slow")
            .mode(ToolMode.READ)
            .handler((arguments, context) -> {
              go.await();
              context.progress("Nearly there");
              runs.incrementAndGet();
              return "done";
            });
    PlayedCall call = call(ConsentMode.OPERATOR, slow);
    call.says("i1", "Check");
    String asks = call.created();
    call.calls(asks, "call_1", "slow", "{}");
    call.done(asks);
    call.says("i2", "No, bye");
    String bye = call.created();
    call.audio(bye, 200);
    call.calls(bye, "call_2", "end_call", "{}");
    call.done(bye);
    call.hearsAll();
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_2")));
    int created = call.responses.size();
    go.countDown();
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    assertThat(call.responses).hasSize(created);
  }

  @Test
  void wordsAreASignOfLifeOfAResponse() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    call.says("i1", "Hello?");
    String response = call.created();
    for (int i = 0; i < 4; i++) {
      call.advance(Duration.ofSeconds(20));
      call.engine(new EngineEvent.Words(response, "item", "word "));
    }
    assertThat(call.toEngine()).doesNotContain("cancel " + response);
  }

  @Test
  void audioOfAResponseThatHasEndedIsNotPlayed() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    call.says("i1", "Hello?");
    String response = call.created();
    call.audio(response, 200);
    call.done(response);
    int played = call.played.size();
    call.audio(response, 200);
    assertThat(call.played).hasSize(played);
  }

  @Test
  void audioTooFarAheadIsCancelled() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    call.says("i1", "Hello?");
    String response = call.created();
    for (int i = 0; i < 130; i++) {
      call.audio(response, 1000);
    }
    assertThat(call.toEngine()).contains("cancel " + response);
    assertThat(call.played.stream().mapToInt(one -> one.length / 8).sum()).isEqualTo(121_000);
  }

  @Test
  void aCallOfALostEngineIsToldToTheNextInWords() {
    PlayedCall call =
        call(
            ConsentMode.OPERATOR,
            Tool.dynamic("look")
                .mode(ToolMode.READ)
                .handler(a -> {
                  go.await();
                  return "found";
                }));
    call.says("i1", "Look");
    String asks = call.created();
    call.calls(asks, "call_1", "look", "{}");
    call.tell(
        new EngineEvent.Done(asks, EngineEvent.Status.COMPLETED, null, ModelReply.Usage.NONE),
        new EngineEvent.Lost(false, "closed", "gone"));
    call.drain();
    call.advance(Duration.ofSeconds(1));
    call.engine(new EngineEvent.Ready());
    go.countDown();
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_result")));
    assertThat(call.toEngine()).noneMatch(one -> one.startsWith("output"));
    assertThat(call.toEngine())
        .anyMatch(one -> one.startsWith("add USER Result of look") && one.contains("found"));
  }

  @Test
  void keysPressedBetweenTwoEnginesReachTheNext() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    call.carrier(new CarrierEvent.Pressed('7'));
    call.carrier(new CarrierEvent.Pressed('#'));
    call.advance(Duration.ofSeconds(1));
    call.engine(new EngineEvent.Ready());
    assertThat(call.setups.getLast().history().toString()).contains("pressed 7");
    assertThat(call.toEngine()).noneMatch(one -> one.startsWith("add"));
  }
}
