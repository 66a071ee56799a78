package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeLimitsTest {
  private static PlayedCall call(Duration duration, Duration silence) {
    Limits limits = new Limits(duration, 50, silence, Duration.ofMinutes(5));
    Agent agent =
        Agent.builder("Shop").prompt("You sell.").store(new InProcessConversations()).build();
    return new PlayedCall(agent, PlayedCall.SETTINGS.with(limits)).talking();
  }

  private static boolean says(PlayedCall call, String words) {
    return call.toEngine().stream().anyMatch(one -> one.contains(words));
  }

  @ParameterizedTest
  @CsvSource({"5, -1", "30, -1", "59, -1", "60, 30", "90, 60"})
  void aCallEndsAtItsLimitWithAWarningHalfAMinuteBefore(int seconds, int warned) {
    PlayedCall call = call(Duration.ofSeconds(seconds), Duration.ofMinutes(10));
    for (int second = 1; second < seconds; second++) {
      call.advance(Duration.ofSeconds(1));
      assertThat(says(call, "This call ends in 30 seconds."))
          .as("second " + second)
          .isEqualTo(warned > 0 && second >= warned);
      assertThat(says(call, "Goodbye.")).isFalse();
      if (second == warned) {
        call.speaks("This call ends in 30 seconds.", 200);
      }
    }
    call.advance(Duration.ofSeconds(1));
    assertThat(says(call, "Goodbye.")).isTrue();
    call.speaks("Goodbye.", 200);
    call.until(() -> call.toCarrier().contains("rest hang up"));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).containsExactly("too_long");
  }

  @Test
  void theLimitsHoldAfterATransferThatFailed() {
    PlayedCall call = transferred(Duration.ofMinutes(10), Duration.ofSeconds(40));
    call.advance(Duration.ofSeconds(60));
    back(call);
    call.advance(Duration.ofSeconds(20));
    assertThat(says(call, "Are you still there?")).isTrue();
  }

  @Test
  void aLimitThatPassedDuringATransferEndsTheCallAfterIt() {
    PlayedCall call = transferred(Duration.ofSeconds(100), Duration.ofMinutes(10));
    call.advance(Duration.ofSeconds(200));
    assertThat(call.ended).isEmpty();
    call.carrier(new CarrierEvent.Dialed("busy"));
    call.carrier(new CarrierEvent.Connected(call.line()));
    call.until(() -> call.toCarrier().contains("rest say Goodbye."));
  }

  private static PlayedCall transferred(Duration duration, Duration silence) {
    PlayedCall call = call(duration, silence);
    call.says("i1", "The owner, please.");
    String asks = call.created();
    call.engine(new EngineEvent.Spoken(asks, "item-" + asks, "One moment."));
    call.audio(asks, 300);
    call.calls(asks, "call_1", "transfer_call", "{\"number\":\"+14155552671\"}");
    call.done(asks);
    call.hearsAll();
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_result")));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).isEmpty();
    return call;
  }

  private static void back(PlayedCall call) {
    call.carrier(new CarrierEvent.Dialed("busy"));
    call.carrier(new CarrierEvent.Connected(call.line()));
    call.engine(new EngineEvent.Ready());
    call.until(() -> says(call, "busy"));
    call.speaks("They are busy.", 200);
  }
}
