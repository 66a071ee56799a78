package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Load;
import dev.switchboard.json.Json;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Every kind of hostile handler, with up to two retries, by many callers at once.
@Tag("load")
class HostileLoadTest {
  private static final int CALLS = Load.of(100_000);
  private static final int CALLERS = 24;
  private static final Duration SLOWEST = Duration.ofSeconds(10);

  private final Hostile hostile = new Hostile();
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger called = new AtomicInteger();
  private final AtomicInteger settled = new AtomicInteger();
  private final AtomicInteger results = new AtomicInteger();
  private final List<Tool> tools = new ArrayList<>();

  @Test
  void everyCallHasOneValidResultAndNothingIsLeftBehind() throws Exception {
    for (Hostile.Kind kind : Hostile.Kind.values()) {
      for (int retries = 0; retries < 3; retries++) {
        tools.add(tool("hostile_" + tools.size(), kind, retries));
      }
    }
    ToolExecutor executor = ToolExecutor.builder().tools(tools).build();
    int threads = Thread.activeCount();
    long heap = Load.heap();
    long begin = System.nanoTime();
    long slowest =
        Load.onSystemThreads(CALLERS, caller -> calls(executor, caller)).stream()
            .mapToLong(Long::longValue)
            .max()
            .orElseThrow();
    double seconds = Load.since(begin);

    hostile.end();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> {
          assertThat(running).as("handlers that still run").hasValue(0);
          assertThat(settled).as("events of results").hasValue(called.get());
        });
    long after = Load.heap();
    Load.tell(
        "%d kinds, %d calls in %.1f s, %d results, %d handler starts, events %d = %d, slowest round"
            + " %.0f ms, heap %.1f -> %.1f MB, threads %d -> %d",
        Hostile.Kind.values().length,
        CALLS,
        seconds,
        results.get(),
        started.get(),
        called.get(),
        settled.get(),
        Load.ms(slowest),
        Load.mb(heap),
        Load.mb(after),
        threads,
        Thread.activeCount());
    assertThat(results.get()).isGreaterThanOrEqualTo(CALLS);
    assertThat(slowest).isLessThan(SLOWEST.toNanos());
    assertThat(after - heap).as("growth of the heap").isLessThan(16_000_000);
    assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + CALLERS);
  }

  private Tool tool(String name, Hostile.Kind kind, int retries) {
    return Tool.dynamic(name, "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}")
        .timeout(Duration.ofMillis(15))
        .deadline(Duration.ofMillis(40))
        .breaker(BreakerOptions.OFF)
        .retry(
            RetryPolicy.DEFAULT
                .withMaxRetries(retries)
                .withPauses(Duration.ofMillis(1), Duration.ofMillis(2)))
        .handler((arguments, context) -> {
          started.incrementAndGet();
          running.incrementAndGet();
          try {
            return hostile.act(kind, context);
          } finally {
            running.decrementAndGet();
          }
        });
  }

  /// Rounds of up to eight calls; how long the slowest took.
  private long calls(ToolExecutor executor, int caller) {
    RandomGenerator random = Load.random(caller);
    long slowest = 0;
    for (int done = 0, round = 0; done < CALLS / CALLERS + 1; round++) {
      ToolSession session = ToolSession.builder(caller + "-" + round).events(this::count).build();
      List<ToolCall> calls = new ArrayList<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        String name = tools.get(random.nextInt(tools.size())).definition().name();
        calls.add(new ToolCall("c" + i, name, Json.of(Map.of("n", random.nextInt()))));
      }
      long begin = System.nanoTime();
      check(calls, executor.executeAll(calls, session));
      slowest = Math.max(slowest, System.nanoTime() - begin);
      done += calls.size();
    }
    return slowest;
  }

  private void count(Event event) {
    if (event instanceof Event.ToolCalled) {
      called.incrementAndGet();
    } else if (event instanceof Event.ToolSettled) {
      settled.incrementAndGet();
    }
  }

  private void check(List<ToolCall> calls, List<ToolResult> came) {
    assertThat(Thread.interrupted()).as("a caller left interrupted").isFalse();
    assertThat(came)
        .extracting(ToolResult::callId)
        .isEqualTo(calls.stream().map(ToolCall::id).toList());
    for (ToolResult result : came) {
      assertThat(result.text()).isNotEmpty();
      assertThat(ToolResult.read(result.json())).isEqualTo(result);
      results.incrementAndGet();
    }
  }
}
