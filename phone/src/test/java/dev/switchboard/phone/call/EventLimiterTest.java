package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// More events than a call needs, faster than its actor takes them.
final class EventLimiterTest {
  private static final String WORDS = "x".repeat(1_000);

  private final PlayedCall call = call();

  private static PlayedCall call(Tool... tools) {
    Agent agent = Agent.builder("Shop").prompt("You sell.").tools(tools).build();
    return new PlayedCall(agent, PlayedCall.SETTINGS).talking();
  }

  private static EngineEvent[] times(int count, EngineEvent event) {
    return IntStream.range(0, count).mapToObj(i -> event).toArray(EngineEvent[]::new);
  }

  private void endsWith(String code) {
    assertThat(call.notes).containsOnlyOnce("failed {\"code\":\"" + code + "\"}");
    call.until(() -> call.toCarrier().stream().anyMatch(one -> one.startsWith("rest say I am")));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).containsExactly("failed");
  }

  @Test
  void aFloodOfTheEnginesEventsEndsTheCall() {
    call.tell(times(100_000, new EngineEvent.Words("r1", "i1", WORDS)));
    assertThat(call.waiting()).isBetween(1_000, 10_000);
    call.drain();
    assertThat(call.wire).contains("end of engine");
    endsWith("engine_flood");
  }

  @Test
  void aFloodOfShortEventsEndsTheCallToo() {
    call.tell(times(1_000_000, new EngineEvent.SpeechStopped()));
    assertThat(call.waiting()).isLessThan(20_000);
    call.drain();
    endsWith("engine_flood");
  }

  @Test
  void aFloodOfMarksEndsTheCall() {
    for (int i = 0; i < 100_000; i++) {
      call.session.post(new CarrierEvent.Played("g1." + i));
    }
    assertThat(call.waiting()).isLessThan(10_000);
    call.drain();
    endsWith("carrier_flood");
  }

  @Test
  void aCallerWhoHangsUpInAFloodHasHungUp() {
    for (int i = 0; i < 100_000; i++) {
      call.session.post(new CarrierEvent.Pressed('1'));
    }
    call.session.post(new CarrierEvent.Disconnected());
    call.drain();
    assertThat(call.ended).hasSize(1);
  }

  @Test
  void audioThatTheCallIsTooSlowForIsDroppedAndTold() {
    call.says("i1", "Hello?");
    String response = call.created();
    EngineEvent second =
        new EngineEvent.Audio(response, "item", 0, new byte[1_000 * PlayoutLedger.BYTES_PER_MS]);
    call.tell(times(1_000, second));
    assertThat(call.waiting()).isBetween(200, 240);
    int taken = call.waiting();
    call.drain();
    assertThat(call.notes).noneMatch(note -> note.startsWith("failed"));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.notes).contains("speech_dropped {\"ms\":" + (1_000 - taken) * 1_000 + "}");
  }

  @Test
  void manyShortPiecesOfAudioCountToo() {
    call.tell(times(1_000_000, new EngineEvent.Audio("r1", "item", 0, new byte[1])));
    assertThat(call.waiting()).isLessThan(20_000);
    // What was taken makes room for others.
    call.drain();
    call.tell(new EngineEvent.Audio("r1", "item", 0, new byte[1]));
    assertThat(call.waiting()).isOne();
  }

  @Test
  void aLivelyCallIsNotAFlood() {
    for (int second = 0; second < 600; second++) {
      call.tell(times(60, new EngineEvent.Words("r1", "i1", "several words ")));
      for (int i = 0; i < 20; i++) {
        call.session.post(new CarrierEvent.Played("g1." + i));
        call.session.post(new CarrierEvent.Pressed('1'));
      }
      call.advance(Duration.ofSeconds(1));
    }
    assertThat(call.notes).noneMatch(note -> note.startsWith("failed"));
  }

  @Test
  void aToolThatReportsWithoutEndHasItsResultHandedOver() {
    Tool chatty =
        Tool.dynamic("chatty")
            .mode(ToolMode.READ)
            .handler((arguments, context) -> {
              for (int i = 0; i < 20_000; i++) {
                context.progress(WORDS + i);
              }
              return "done";
            });
    PlayedCall asked = call(chatty);
    asked.says("i1", "Talk");
    String response = asked.created();
    asked.calls(response, "call_1", "chatty", "{}");
    asked.tell(
        new EngineEvent.Done(response, EngineEvent.Status.COMPLETED, null, ModelReply.Usage.NONE));
    asked.until(() -> asked.toEngine().contains("output call_1 done"));
  }
}
