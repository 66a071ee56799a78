package dev.switchboard.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Load;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Many conversations of one executor at once, whose callers are interrupted and whose sessions are
/// cancelled at any moment.
@Tag("load")
class StormLoadTest {
  private static final int SESSIONS = Load.of(1_000);
  private static final int ROUNDS = 10;
  private static final int CALLS = 5;

  private final AtomicInteger results = new AtomicInteger();
  private final AtomicInteger interrupts = new AtomicInteger();
  private final AtomicInteger cancels = new AtomicInteger();

  private static Tool tool(String name, ToolMode mode, int millis) {
    CountDownLatch never = new CountDownLatch(1);
    return Tool.dynamic(name)
        .mode(mode)
        .timeout(Duration.ofSeconds(30))
        .breaker(BreakerOptions.OFF)
        .handler(arguments -> never.await(millis, TimeUnit.MILLISECONDS) ? "?" : "done");
  }

  @Test
  void everyCallHasOneResultInItsPlace() throws Exception {
    ToolExecutor executor =
        ToolExecutor.of(
            tool("get_quick", ToolMode.READ, 0),
            tool("get_slow", ToolMode.READ, 4),
            tool("set_slow", ToolMode.SAFE_WRITE, 2));
    long begin = System.nanoTime();

    List<Integer> own = Load.sideBySide(SESSIONS, number -> session(executor, number));

    int calls = SESSIONS * ROUNDS * CALLS;
    Load.tell(
        "%d sessions, %d calls in %.1f s, %d interrupts, %d sessions cancelled, %d results",
        SESSIONS, calls, Load.since(begin), interrupts.get(), cancels.get(), results.get());
    assertThat(own).containsOnly(ROUNDS * CALLS);
    assertThat(results).hasValue(calls);
  }

  private int session(ToolExecutor executor, int number) {
    RandomGenerator random = Load.random(number);
    Queue<Event> events = new ConcurrentLinkedQueue<>();
    ToolSession session = ToolSession.builder("s" + number).events(events::add).build();
    int results = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String id = round + "-";
      List<ToolCall> calls =
          IntStream.range(0, CALLS).mapToObj(i -> ToolCall.of(id + i, name(random), "{}")).toList();
      trouble(random, session);
      List<ToolResult> came = executor.executeAll(calls, session);
      boolean unusedWas = Thread.interrupted();
      assertThat(came)
          .extracting(ToolResult::callId)
          .isEqualTo(calls.stream().map(ToolCall::id).toList());
      results += came.size();
      this.results.addAndGet(came.size());
    }
    assertThat(events.stream().filter(Event.ToolSettled.class::isInstance)).hasSize(results);
    return results;
  }

  private static String name(RandomGenerator random) {
    return List.of("get_quick", "get_slow", "set_slow").get(random.nextInt(3));
  }

  /// Now and then an interrupt before the call or within, or a cancel within.
  private void trouble(RandomGenerator random, ToolSession session) {
    Thread caller = Thread.currentThread();
    switch (random.nextInt(20)) {
      case 0 -> {
        interrupts.incrementAndGet();
        caller.interrupt();
      }
      case 1 -> {
        interrupts.incrementAndGet();
        Load.after(random.nextInt(8_000), caller::interrupt);
      }
      case 2 -> {
        if (random.nextInt(10) == 0) {
          cancels.incrementAndGet();
          Load.after(random.nextInt(8_000), session::cancel);
        }
      }
      default -> {}
    }
  }
}
