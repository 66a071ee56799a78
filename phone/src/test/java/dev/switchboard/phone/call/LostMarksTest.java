package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A carrier that does not echo every mark.
class LostMarksTest {
  private static final CallSettings USUAL = PlayedCall.SETTINGS;

  private final CountDownLatch answered = new CountDownLatch(1);

  private PlayedCall call(CallSettings settings) {
    Tool slow =
        Tool.dynamic("get_order")
            .mode(ToolMode.READ)
            .handler(arguments -> {
              answered.await();
              return "shipped";
            });
    Agent agent =
        Agent.builder("Shop")
            .prompt("You sell.")
            .store(new InProcessConversations())
            .tools(slow)
            .build();
    return new PlayedCall(agent, settings).talking();
  }

  /// The agent says that, and no mark is echoed.
  private static String speaksUnheard(PlayedCall call, int milliseconds) {
    String response = call.created();
    call.engine(new EngineEvent.Spoken(response, "item-" + response, "One two three four five"));
    call.audio(response, milliseconds);
    call.done(response);
    return response;
  }

  private static List<String> lost(PlayedCall call) {
    return call.notes.stream().filter(note -> note.startsWith("mark_lost")).toList();
  }

  @Test
  void audioCountsAsHeardThreeSecondsAfterItMustHaveEnded() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Hi");
    speaksUnheard(call, 400);
    call.advance(Duration.ofMillis(3399));
    assertThat(call.lines).noneMatch(line -> line.startsWith("agent"));
    assertThat(call.session.isIdle()).isFalse();
    call.advance(Duration.ofMillis(1));
    assertThat(call.lines).contains("agent: One two three four five");
    assertThat(call.session.isIdle()).isTrue();
    assertThat(lost(call))
        .containsExactly("mark_lost {\"name\":\"g1.1\"}", "mark_lost {\"name\":\"g1.2\"}");
  }

  @Test
  void aLateResultIsSpokenThoughTheLastMarkIsLost() {
    PlayedCall call = call(USUAL);
    call.says("i1", "order?");
    String asks = call.created();
    call.calls(asks, "call_1", "get_order", "{}");
    call.done(asks);
    call.says("i2", "c");
    String waits = call.created();
    call.audio(waits, 400);
    call.done(waits);
    call.carrier(new CarrierEvent.Played("g1.1"));
    answered.countDown();
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    int before = call.responses.size();
    call.advance(Duration.ofMillis(3400));
    call.until(() -> call.responses.size() == before + 1);
  }

  @Test
  void silenceEndsACallWithoutMarks() {
    Limits usual = Limits.DEFAULT;
    Limits brief = new Limits(usual.duration(), 50, Duration.ofSeconds(6), usual.drain());
    PlayedCall call = call(USUAL.with(brief));
    call.says("i1", "hi");
    speaksUnheard(call, 1000);
    // The engine speaks what it is asked to, and no mark is ever echoed.
    for (int i = 0; i < 40 && call.ended.isEmpty(); i++) {
      int asked = call.responses.size();
      call.advance(Duration.ofSeconds(1));
      if (call.responses.size() > asked) {
        speaksUnheard(call, 500);
      }
      if (call.toCarrier().contains("rest hang up")) {
        call.carrier(new CarrierEvent.Disconnected());
      }
    }
    assertThat(call.ended).containsExactly("silence");
  }

  @Test
  void anInterruptionIsCutByEchoesOnly() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Tell me all.");
    String tells = call.created();
    call.audio(tells, 10_000);
    call.carrier(new CarrierEvent.Played("g1.2"));
    call.advance(Duration.ofSeconds(6));
    // Three seconds count as heard; the echoes say 400 ms.
    assertThat(lost(call)).isNotEmpty();
    call.engine(new EngineEvent.SpeechStarted());
    assertThat(call.wire).contains("clear", "truncate item-resp1 400");
    // Nothing is overdue in the new generation.
    int notes = call.notes.size();
    call.advance(Duration.ofSeconds(9));
    assertThat(call.notes.subList(notes, call.notes.size()))
        .noneMatch(n -> n.contains("mark_lost"));
  }

  @Test
  void speechAfterAudioThatCountsAsHeardIsNotAnInterruption() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Hi");
    speaksUnheard(call, 400);
    call.advance(Duration.ofSeconds(4));
    call.engine(new EngineEvent.SpeechStarted());
    assertThat(call.wire).noneMatch(one -> one.matches("(clear|truncate|cancel|delete).*"));
  }

  @Test
  void aLaterMarkStandsForLostOnes() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Hi");
    speaksUnheard(call, 1000);
    call.carrier(new CarrierEvent.Played("g1.5"));
    assertThat(call.session.isIdle()).isTrue();
    // An older one that is late changes nothing.
    call.carrier(new CarrierEvent.Played("g1.2"));
    assertThat(call.session.isIdle()).isTrue();
    call.advance(Duration.ofSeconds(10));
    assertThat(lost(call)).isEmpty();
  }

  @Test
  void aCarrierThatIsBehindIsWaitedFor() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Hi");
    speaksUnheard(call, 2000);
    call.advance(Duration.ofMillis(5000));
    assertThat(call.session.isIdle()).isTrue();
    // It has only played the first 200 ms: 1,800 are left.
    call.carrier(new CarrierEvent.Played("g1.1"));
    assertThat(call.session.isIdle()).isFalse();
    call.engine(new EngineEvent.SpeechStarted());
    assertThat(call.wire).contains("clear");
  }

  @Test
  void marksAreNotOverdueWhileEarlierAudioPlays() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Hi");
    String tells = call.created();
    call.audio(tells, 20_000);
    for (int i = 1; i <= 20; i++) {
      call.advance(Duration.ofSeconds(1));
      call.carrier(new CarrierEvent.Played("g1." + i * 5));
    }
    assertThat(lost(call)).isEmpty();
    assertThat(call.session.playout.idle()).isTrue();
  }

  @Test
  void longSpeechWithoutMarksIsNotTakenForSpeechFarAhead() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Hi");
    String tells = call.created();
    for (int i = 0; i < 200; i++) {
      call.audio(tells, 1000);
      call.advance(Duration.ofSeconds(1));
    }
    assertThat(call.wire).noneMatch(one -> one.startsWith("cancel"));
    assertThat(call.session.playout.ahead()).isLessThanOrEqualTo(4000);
  }

  @Test
  void anEndOfAResponseThatNeverComesDoesNotKeepTheLineBusy() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Hi");
    // The last 100 ms have no mark, and the engine is silent from here on.
    call.audio(call.created(), 500);
    call.carrier(new CarrierEvent.Played("g1.2"));
    call.advance(Duration.ofSeconds(60));
    assertThat(call.session.playout.idle()).isTrue();
    assertThat(lost(call)).isEmpty();
  }

  @Test
  void aHangUpEndsTheWaitForMarks() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Hi");
    speaksUnheard(call, 400);
    call.advance(Duration.ofSeconds(1));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).containsExactly("hung_up");
    assertThat(call.time.alarms()).isZero();
    call.advance(Duration.ofSeconds(10));
    assertThat(lost(call)).isEmpty();
  }
}
