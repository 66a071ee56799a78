package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How long a caller waits for a tool that does not answer.
class LineDeadlineTest {
  private final ManualTime time = new ManualTime();
  private final CountDownLatch never = new CountDownLatch(1);
  private final Semaphore begun = new Semaphore(0);

  private Tool.DynamicBuilder hanging(String name) {
    return Tool.dynamic(name)
        .mode(ToolMode.READ)
        .parallel(false)
        .retry(RetryPolicy.NONE)
        .timeout(Duration.ofMinutes(5));
  }

  private Tool hangs(Tool.DynamicBuilder tool) {
    return tool.handler(arguments -> {
      begun.release();
      never.await();
      return "done";
    });
  }

  private PlayedCall call(ToolDefaults defaults, Tool... tools) {
    Agent agent =
        Agent.builder("Shop")
            .prompt("You sell.")
            .time(time)
            .store(new InProcessConversations())
            .defaults(defaults)
            .tools(tools)
            .build();
    return new PlayedCall(PlayedCall.ARRIVAL, agent, PlayedCall.SETTINGS, time).talking();
  }

  private static boolean has(PlayedCall call, String type) {
    return call.notes.stream().anyMatch(note -> note.startsWith(type + " "));
  }

  /// The caller asks, and the model needs that long to call the tools.
  private void asks(PlayedCall call, Duration thinks, String... tools) {
    call.says("i1", "Where is it?");
    String asks = call.created();
    call.advance(thinks);
    for (int i = 0; i < tools.length; i++) {
      call.calls(asks, "call_" + i, tools[i], "{}");
    }
    call.done(asks);
    call.until(() -> has(call, "tool_call"));
  }

  /// Waits for the next tool to hang, and checks that its output comes at that second after the
  /// caller's words, not before.
  private void comesAt(PlayedCall call, int number, int second) {
    call.until(() -> begun.tryAcquire());
    time.awaitSleepers(1);
    Duration left = Duration.ofSeconds(second).minus(call.time.elapsed());
    call.advance(left.minusMillis(1));
    assertThat(isThere(call, number)).isFalse();
    call.advance(Duration.ofMillis(1));
    call.until(() -> isThere(call, number));
  }

  private static boolean isThere(PlayedCall call, int number) {
    return call.toEngine().stream().anyMatch(one -> one.startsWith("output call_" + number));
  }

  @ParameterizedTest
  @CsvSource({"0, 15", "2, 15", "12, 15", "14, 15", "20, 21"})
  void aToolHasFifteenSecondsFromTheCallersWordsOn(int thinks, int answers) {
    PlayedCall call = call(ToolDefaults.NONE, hangs(hanging("get_order")));
    asks(call, Duration.ofSeconds(thinks), "get_order");
    TimeLimits limits = call.session.limits;
    Tool tool = hangs(hanging("get_order"));
    assertThat(limits.deadline("x", tool).toSeconds()).isEqualTo(answers - thinks);
  }

  @ParameterizedTest
  @CsvSource({"5, 3, 2", "30, 3, 27", "0.5, 3, 0.5", "15, 1, 14"})
  void aStatedDeadlineIsMeasuredLikewise(double stated, int thinks, double left) {
    Duration deadline = Duration.ofMillis((long) (stated * 1000));
    Duration expected = Duration.ofMillis((long) (left * 1000));
    Tool own = hangs(hanging("get_order").deadline(deadline));
    PlayedCall call = call(ToolDefaults.NONE, own);
    asks(call, Duration.ofSeconds(thinks), "get_order");
    assertThat(call.session.limits.deadline("x", own)).isEqualTo(expected);
    Tool byDefault =
        hangs(hanging("get_order")).withDefaults(ToolDefaults.NONE.withDeadline(deadline));
    assertThat(call.session.limits.deadline("x", byDefault)).isEqualTo(expected);
  }

  @Test
  void restartsWaitWhenCallerHearsOrSpeaks() {
    Tool tool = hangs(hanging("get_order"));
    PlayedCall call = call(ToolDefaults.NONE, tool);
    asks(call, Duration.ofSeconds(5), "get_order");
    TimeLimits limits = call.session.limits;
    assertThat(limits.deadline("x", tool)).isEqualTo(Duration.ofSeconds(10));
    call.engine(new EngineEvent.SpeechStarted());
    call.engine(new EngineEvent.Committed("i2", null));
    assertThat(limits.deadline("x", tool)).isEqualTo(Duration.ofSeconds(15));
    call.advance(Duration.ofSeconds(4));
    String waits = call.created();
    call.audio(waits, 200);
    call.carrier(new CarrierEvent.Played("g1.1"));
    assertThat(limits.deadline("x", tool)).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void aCallThatWaitedForAnOperatorHasItsWholeTime() {
    Tool tool = hangs(hanging("get_order"));
    PlayedCall call = call(ToolDefaults.NONE, tool);
    call.advance(Duration.ofSeconds(60));
    call.session.limits.unhurried("call_2_1_1");
    assertThat(call.session.limits.deadline("call_2_1_1", tool)).isEqualTo(Duration.ofSeconds(15));
    assertThat(call.session.limits.deadline("call_2_1_2", tool)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aHangingToolAnswersAfterFifteenSeconds() {
    PlayedCall call = call(ToolDefaults.NONE, hangs(hanging("get_order")));
    asks(call, Duration.ofSeconds(2), "get_order");
    comesAt(call, 0, 15);
    assertThat(call.notes.stream().filter(note -> note.startsWith("tool_result")))
        .singleElement()
        .asString()
        .contains("\"success\":false");
  }

  @Test
  void hangingToolsOfOneReplyDoNotAddUp() {
    PlayedCall call =
        call(ToolDefaults.NONE, hangs(hanging("get_order")), hangs(hanging("get_stock")));
    asks(call, Duration.ofSeconds(2), "get_order", "get_stock");
    comesAt(call, 0, 15);
    comesAt(call, 1, 16);
  }
}
