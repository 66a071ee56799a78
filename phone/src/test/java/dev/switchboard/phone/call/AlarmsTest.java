package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An ended call leaves no alarm behind, which would keep it in memory.
class AlarmsTest {
  private static PlayedCall call(ConsentMode consent) {
    Agent agent =
        Agent.builder("Shop")
            .prompt("You sell.")
            .firstMessage("Hi!")
            .store(new InProcessConversations())
            .tools(Tool.dynamic("pay").mode(ToolMode.LOCAL).handler(arguments -> "paid"))
            .build();
    return new PlayedCall(agent, PlayedCall.SETTINGS.with(consent)).talking();
  }

  private static void isOver(PlayedCall call) {
    call.until(() -> !call.ended.isEmpty());
    assertThat(call.time.alarms()).isZero();
    call.advance(Duration.ofHours(5));
    assertThat(call.ended).hasSize(1);
  }

  @Test
  void aCallThatTheCallerEnds() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    assertThat(call.time.alarms()).isPositive();
    call.speaks("Hi!", 300);
    call.carrier(new CarrierEvent.Pressed('4'));
    call.carrier(new CarrierEvent.Disconnected());
    isOver(call);
  }

  @Test
  void aCallInWhichACallWaitsForAPerson() {
    for (ConsentMode consent : ConsentMode.values()) {
      PlayedCall call = call(consent);
      call.speaks("Hi!", 300);
      call.says("i1", "Pay.");
      String asks = call.created();
      call.calls(asks, "call_1", "pay", "{}");
      call.done(asks);
      call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_call")));
      call.carrier(new CarrierEvent.Disconnected());
      isOver(call);
    }
  }

  @Test
  void aCallWhoseEngineIsLost() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    call.carrier(new CarrierEvent.Disconnected());
    isOver(call);
  }

  @Test
  void aCallWithoutAudio() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    call.engine(new EngineEvent.Lost(true, "http_401", "refused"));
    call.carrier(new CarrierEvent.Status("completed"));
    isOver(call);
  }

  @Test
  void aStepThatWasCancelledWhileItWaitedDoesNotRun() {
    ManualTime time = new ManualTime();
    Deque<Runnable> actor = new ArrayDeque<>();
    Alarms alarms = new Alarms(time, actor::add);
    List<String> ran = new ArrayList<>();
    var first = alarms.after(Duration.ofSeconds(1), () -> ran.add("first"));
    var unused = alarms.after(Duration.ofSeconds(1), () -> ran.add("second"));
    time.advance(Duration.ofSeconds(1));
    first.cancel();
    actor.forEach(Runnable::run);
    assertThat(ran).containsExactly("second");
    alarms.over();
    var unusedLate = alarms.after(Duration.ofSeconds(1), () -> ran.add("late"));
    assertThat(time.alarms()).isZero();
  }
}
