package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Many calls of a program that is killed at random moments; prints figures.
@Tag("load")
class McpStressLoadTest {
  private static final int CALLERS = 16;
  private static final Duration LENGTH =
      Duration.ofMillis(
          (long) (20_000 * Double.parseDouble(System.getProperty("switchboard.load", "1"))));

  private final Map<String, LongAdder> results = new ConcurrentSkipListMap<>();

  @Test
  void everyCallHasOneResult() throws InterruptedException {
    long threadsBefore = platformThreads();
    long heapBefore = heap();
    Fake fake =
        Fake.of(
            Fake.server(Fake.SESSIONS)
                .policy(
                    "run",
                    (tool, handler, usual) ->
                        tool.mode(usual)
                            .timeout(Duration.ofSeconds(8))
                            .breaker(BreakerOptions.OFF)));
    long end = System.nanoTime() + LENGTH.toNanos();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int number = i;
      callers.add(Thread.ofVirtual().start(() -> call(fake, number, end)));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    fake.close();
    await().atMost(Duration.ofSeconds(20)).until(() -> platformThreads() <= threadsBefore + 2);
    System.out.printf(
        "calls %s, threads of the platform %d before and %d after, heap %d and %d KiB%n",
        new TreeMap<>(results), threadsBefore, platformThreads(), heapBefore, heap());
    assertThat(results).containsKey("ok");
    assertThat(results.keySet()).doesNotContain("wrong");
  }

  private void call(Fake fake, int number, long end) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(number);
    for (int i = 0; System.nanoTime() < end; i++) {
      boolean kills = random.nextInt(20_000) == 0;
      String word = number + "-" + i;
      ToolResult result =
          kills
              ? fake.run("exit " + random.nextInt(1, 200))
              : fake.run(random.nextInt(50) == 0 ? "long 300000" : "say " + word);
      boolean own = word.equals(result.text()) || String.valueOf(result.text()).startsWith("xxx");
      String kind = result.success() ? own ? "ok" : "wrong" : "failed: " + kind(result);
      fake.events.clear();
      results.computeIfAbsent(kind, any -> new LongAdder()).increment();
    }
  }

  private static String kind(ToolResult result) {
    return result.code() + " " + String.valueOf(result.error()).replaceAll("[0-9]+", "n");
  }

  private static long platformThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("mcp "))
        .count();
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1024;
  }
}
