package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.carrier.AudioLine;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What becomes of a call when an end of it fails in the middle of something.
class CallFaultsTest {
  private final InProcessConversations store = new InProcessConversations();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();

  private final Tool write =
      Tool.dynamic("book_table")
          .mode(ToolMode.EXTERNAL)
          .handler(arguments -> {
            begun.countDown();
            answered.await();
            return "booked " + runs.incrementAndGet();
          });

  private PlayedCall call() {
    Agent agent = Agent.builder("Shop").prompt("You sell.").store(store).tools(write).build();
    return new PlayedCall(agent, PlayedCall.SETTINGS);
  }

  /// The model calls that tool in answer to the caller's first words.
  private static void asks(PlayedCall call, String tool, String arguments) {
    call.says("i1", "Please do.");
    String response = call.created();
    call.calls(response, "call_1", tool, arguments);
    call.done(response);
  }

  private static boolean isOutput(PlayedCall call) {
    return call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1"));
  }

  @Test
  void sendsResultToNextSessionAfterEngineLoss() throws Exception {
    PlayedCall call = call().talking();
    asks(call, "book_table", "{}");
    begun.await();
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    call.advance(Duration.ofSeconds(1));
    call.until(() -> call.wire.stream().filter(one -> one.startsWith("open")).count() == 2);
    call.engine(new EngineEvent.Ready());
    answered.countDown();
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.contains("booked 1")));

    assertThat(runs).hasValue(1);
    // The new session knows nothing of the call's id.
    assertThat(isOutput(call)).isFalse();
    assertThat(call.toEngine().stream().filter(one -> one.contains("booked 1")))
        .singleElement()
        .asString()
        .startsWith("add USER Result of book_table");
    call.until(() -> call.toEngine().getLast().equals("create answer AUTO"));
  }

  @Test
  void aResultThatComesBetweenTwoEnginesIsToldToTheNext() throws Exception {
    PlayedCall call = call().talking();
    asks(call, "book_table", "{}");
    begun.await();
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    answered.countDown();
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_result")));
    assertThat(call.wire).noneMatch(one -> one.contains("booked 1"));
    call.advance(Duration.ofSeconds(1));
    call.until(() -> call.wire.stream().filter(one -> one.startsWith("open")).count() == 2);
    call.engine(new EngineEvent.Ready());
    assertThat(call.toEngine().getLast()).contains("aside", "One moment, please.");
    call.speaks("One moment, please.", 300);
    call.until(() -> call.toEngine().getLast().equals("create answer AUTO"));
    assertThat(isOutput(call)).isFalse();
  }

  @Test
  void aWriteFinishesAfterTheLineIsGone() throws Exception {
    PlayedCall call = call().talking();
    asks(call, "book_table", "{}");
    begun.await();
    call.carrier(new CarrierEvent.Disconnected());
    answered.countDown();
    call.until(() -> runs.get() == 1);
    call.until(() -> call.ended.equals(List.of("hung_up")));
    call.until(() -> store.conversation("CA1").calls() == 1);
  }

  @Test
  void aCallerWhoHangsUpBeforeATransferIsNotTransferred() {
    PlayedCall call = call().talking();
    call.says("i1", "A person, please");
    String response = call.created();
    call.audio(response, 1_000);
    call.calls(response, "call_1", "transfer_call", "{\"number\":\"+15559876543\"}");
    call.done(response);
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_call")));
    // The last words are not heard yet.
    call.carrier(new CarrierEvent.Disconnected());
    call.advance(Duration.ofSeconds(30));
    assertThat(call.ended).containsExactly("hung_up");
    assertThat(call.toCarrier()).noneMatch(one -> one.startsWith("rest"));
  }

  @Test
  void aCarrierThatIsGoneInATransferEndsTheCallOnce() {
    PlayedCall call = call().talking();
    asks(call, "transfer_call", "{\"number\":\"+15559876543\"}");
    call.until(() -> call.responses.size() == 2);
    call.speaks("I will put you through.", 300);
    call.until(() -> call.toCarrier().contains("rest transfer +15559876543"));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).isEmpty();
    // What came of the transfer is never told, only that the call is over.
    call.carrier(new CarrierEvent.Status("completed"));
    call.carrier(new CarrierEvent.Status("completed"));
    assertThat(call.ended).containsExactly("transferred");
    assertThat(call.toCarrier()).doesNotContain("rest hang up");
  }

  private PlayedCall transferred() {
    PlayedCall call = call().talking();
    asks(call, "transfer_call", "{\"number\":\"+15559876543\"}");
    call.until(() -> call.responses.size() == 2);
    call.speaks("I will put you through.", 300);
    call.until(() -> isOutput(call));
    call.carrier(new CarrierEvent.Disconnected());
    return call;
  }

  @Test
  void endsTransferWithoutOutcomeAfterFourHours() {
    PlayedCall call = transferred();
    call.advance(Duration.ofMinutes(239));
    assertThat(call.ended).isEmpty();
    call.advance(Duration.ofMinutes(1));
    assertThat(call.ended).containsExactly("transferred");
    assertThat(call.toCarrier()).doesNotContain("rest hang up");
  }

  @Test
  void aProcessThatEndsDoesNotWaitForATransferredCall() {
    PlayedCall call = transferred();
    call.session.goodbye("shutdown");
    call.drain();
    assertThat(call.ended).containsExactly("transferred");
    assertThat(call.toCarrier()).doesNotContain("rest hang up");
  }

  @Test
  void reportsRefusedTransferToModelAndAllowsAnother() {
    PlayedCall call = call();
    call.refusal = "The carrier refused the order (21220).";
    call.talking();
    asks(call, "transfer_call", "{\"number\":\"+15559876543\"}");
    call.until(() -> call.responses.size() == 2);
    call.speaks("I will put you through.", 300);
    call.until(() -> isOutput(call));
    assertThat(call.toEngine().toString()).contains("\"status\":\"failed\"", "(21220)");
    call.until(() -> call.responses.size() == 3);
    // One that failed does not count: another may be asked for.
    call.refusal = null;
    String again = call.created();
    call.audio(again, 200);
    call.calls(again, "call_2", "transfer_call", "{\"number\":\"+15559876543\"}");
    call.done(again);
    call.hearsAll();
    call.until(() -> call.toEngine().toString().contains("\"status\":\"transferring\""));
    assertThat(call.ended).isEmpty();
  }

  @Test
  void aHangUpThatTheCarrierRefusesLeavesTheCallAsItIs() {
    PlayedCall call = call();
    call.refusal = "The carrier refused the order (20003).";
    call.talking();
    asks(call, "end_call", "{}");
    call.until(() -> call.responses.size() == 2);
    call.speaks("Goodbye.", 300);
    call.until(() -> isOutput(call));
    assertThat(call.toEngine().toString()).contains("\"status\":\"failed\"");
    assertThat(call.ended).isEmpty();
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).containsExactly("hung_up");
  }

  @Test
  void aFarewellWhoseMarksAreLostIsGivenEightSeconds() {
    PlayedCall call = call().talking();
    asks(call, "end_call", "{}");
    call.until(() -> call.responses.size() == 2);
    String bye = call.created();
    call.audio(bye, 700);
    call.done(bye);
    call.advance(Duration.ofMillis(7_900));
    assertThat(call.toCarrier()).isEmpty();
    call.advance(Duration.ofMillis(100));
    call.until(() -> call.toCarrier().contains("rest hang up"));
  }

  @Test
  void endsCallByCarrierIfEngineIsNeverReady() {
    PlayedCall call = call();
    call.session.ring();
    call.drain();
    call.carrier(new CarrierEvent.Connected(new SilentLine()));
    call.advance(Duration.ofSeconds(19));
    assertThat(call.toCarrier()).isEmpty();
    call.advance(Duration.ofSeconds(1));
    call.until(() -> call.toCarrier().stream().anyMatch(one -> one.startsWith("rest say")));
    call.carrier(new CarrierEvent.Status("completed"));
    assertThat(call.ended).containsExactly("failed");
  }

  private record SilentLine() implements AudioLine {
    @Override
    public void play(byte[] audio) {}

    @Override
    public void mark(String name) {}

    @Override
    public void clear() {}

    @Override
    public void close(int code, String reason) {}
  }

  @Test
  void anEngineThatDoesNotBeginIsAskedAgain() {
    PlayedCall call = call().talking();
    call.says("i1", "Hello?");
    assertThat(call.responses).hasSize(1);
    call.advance(Duration.ofSeconds(10));
    assertThat(call.responses).hasSize(2);
    assertThat(call.notes).anyMatch(note -> note.startsWith("stuck"));
  }

  @Test
  void failsResponseThatNeverBeginsAfterThirtySeconds() {
    PlayedCall call = call().talking();
    call.says("i1", "Hello?");
    call.advance(Duration.ofSeconds(10));
    call.advance(Duration.ofSeconds(10));
    assertThat(call.notes).noneMatch(note -> note.contains("model_timeout"));
    call.advance(Duration.ofSeconds(10));
    assertThat(call.notes).anyMatch(note -> note.contains("model_timeout"));
    assertThat(call.toEngine().getLast()).contains("something went wrong on our side");
    assertThat(store.lines("CA1", 100))
        .filteredOn(line -> line.key().equals("turn2/end"))
        .singleElement()
        .satisfies(line -> assertThat(line.entry().text()).contains("model_timeout"));
    call.speaks("Sorry, something went wrong on our side.", 200);
    assertThat(call.responses).hasSize(4);
  }

  @Test
  void anEmptyReplyIsRequestedOnceMore() {
    PlayedCall call = call().talking();
    call.says("i1", "Hello?");
    call.done(call.created(), EngineEvent.Status.INCOMPLETE);
    assertThat(call.notes).filteredOn(note -> note.startsWith("model_retry")).hasSize(1);
    assertThat(call.responses).hasSize(2);
    call.done(call.created());
    assertThat(call.responses).hasSize(2);
    assertThat(store.lines("CA1", 100)).extracting(line -> line.key()).contains("turn2/end");
    call.says("i2", "Hello?");
    call.done(call.created());
    assertThat(call.responses).hasSize(4);
  }

  @Test
  void anEngineThatBeginsNothingMoreIsNotAskedWithoutEnd() {
    PlayedCall call = call().talking();
    call.says("i1", "Hello?");
    for (int i = 0; i < 6; i++) {
      call.advance(Duration.ofSeconds(10));
    }
    assertThat(call.responses).hasSize(6);
    call.advance(Duration.ofSeconds(10));
    assertThat(call.responses).hasSize(6);
  }

  @Test
  void aResponseThatSaysNothingMoreIsCancelledAndExcused() {
    PlayedCall call = call().talking();
    call.says("i1", "Hello?");
    String response = call.created();
    call.audio(response, 200);
    call.advance(Duration.ofSeconds(29));
    assertThat(call.toEngine()).doesNotContain("cancel " + response);
    call.advance(Duration.ofSeconds(1));
    assertThat(call.toEngine()).contains("cancel " + response);
    assertThat(call.notes).anyMatch(note -> note.contains("model_timeout"));
    call.done(response, EngineEvent.Status.CANCELLED);
    call.until(() -> call.toEngine().getLast().contains("something went wrong on our side"));
  }

  @Test
  void marksThatWereLostAreMadeGoodByTheNext() {
    PlayedCall call = call().talking();
    call.says("i1", "Tell me all.");
    String tells = call.created();
    call.audio(tells, 1_000);
    call.carrier(new CarrierEvent.Played("g1.3"));
    // What comes late says nothing new.
    call.carrier(new CarrierEvent.Played("g1.1"));
    call.engine(new EngineEvent.SpeechStarted());
    assertThat(call.wire).contains("truncate item-resp1 600");
  }
}
