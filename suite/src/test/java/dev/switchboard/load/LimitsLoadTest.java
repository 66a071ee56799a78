package dev.switchboard.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.harness.Load;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is scarce is never given out twice nor lost, however many callers want it at once and
/// however their calls end.
@Tag("load")
class LimitsLoadTest {
  private static final int THREADS = 8;
  private static final int EACH = 6;
  private static final int PLACES = 10;
  private static final Duration COOLDOWN = Duration.ofMillis(50);

  @TempDir private Path folder;

  private final CountDownLatch never = new CountDownLatch(1);
  private final AtomicInteger starts = new AtomicInteger();

  private static Tool tool(String name, ToolHandler handler) {
    return Tool.dynamic(name)
        .mode(ToolMode.READ)
        .retry(RetryPolicy.NONE)
        .breaker(BreakerOptions.OFF)
        .repeatLimit(Integer.MAX_VALUE)
        .answeredBy(handler);
  }

  private Object works(RandomGenerator random) throws InterruptedException {
    starts.incrementAndGet();
    return never.await(random.nextInt(1_500), TimeUnit.MICROSECONDS) ? "?" : "done";
  }

  private Tool working(String name) {
    RandomGenerator random = new java.util.SplittableRandom(1);
    return tool(name, (arguments, context) -> works(random));
  }

  /// Calls by all threads at once, whose callers are interrupted now and then.
  private static int calls(ToolExecutor executor, ToolSession session, int stream, String... names)
      throws Exception {
    AtomicInteger ids = new AtomicInteger();
    List<Integer> came =
        Load.sideBySide(
            THREADS,
            thread -> {
              RandomGenerator random = Load.random(stream * THREADS + thread);
              for (int i = 0; i < EACH; i++) {
                Thread caller = Thread.currentThread();
                if (random.nextInt(4) == 0) {
                  Load.after(random.nextInt(1_500), caller::interrupt);
                }
                String name = names[random.nextInt(names.length)];
                ToolCall call = ToolCall.of("c" + ids.incrementAndGet(), name, "{}");
                assertThat(executor.execute(call, session).callId()).isEqualTo(call.id());
                boolean unusedWas = Thread.interrupted();
              }
              return EACH;
            });
    return came.stream().mapToInt(Integer::intValue).sum();
  }

  private static ToolSession session(String id, ConversationStore store) {
    return ToolSession.builder(id).store(store).build();
  }

  @Test
  void aLimitOfCallsIsNeverOverrunAndLosesNoPlace() throws Exception {
    int calls = 0;
    int rounds = Load.of(120);
    for (int round = 0; round < rounds; round++) {
      calls += limited(new InProcessConversations(), round);
    }
    int stored = Load.of(30);
    try (ConversationStore store = Storage.sqlite(folder.resolve("limit.db"), "a")) {
      for (int round = 0; round < stored; round++) {
        calls += limited(store, 1_000 + round);
      }
    }
    Load.tell("limit of calls: %d rounds, %d in SQLite, %d calls", rounds, stored, calls);
  }

  private int limited(ConversationStore store, int round) throws Exception {
    starts.set(0);
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(working("get_it"))
            .rules(ToolRule.maxCalls("get_it", PLACES))
            .store(store)
            .build();
    ToolSession session = session("c" + round, store);
    int calls = calls(executor, session, round, "get_it");
    assertThat(starts.get()).as("round %d", round).isLessThanOrEqualTo(PLACES);
    // What a cancelled call did not use is there for those who come later.
    for (int i = 0; i <= PLACES; i++) {
      ToolResult unusedMore = executor.execute(ToolCall.of("more" + i, "get_it", "{}"), session);
    }
    // A handler that has begun may come to its first line after its call was cancelled.
    Awaitility.await()
        .untilAsserted(
            () -> assertThat(starts).as("places used in round %d", round).hasValue(PLACES));
    return calls + PLACES + 1;
  }

  @Test
  void aGroupHasOneToolAtATimeAndIsFreeAfterFailures() throws Exception {
    int rounds = Load.of(125);
    for (int round = 0; round < rounds; round++) {
      Set<ToolContext> json = ConcurrentHashMap.newKeySet();
      Set<ToolContext> xml = ConcurrentHashMap.newKeySet();
      ToolExecutor executor =
          ToolExecutor.builder()
              .tools(failing("get_json", json, xml), failing("get_xml", xml, json))
              .tools(tool("get_end", (arguments, context) -> "done"))
              .rules(ToolRule.oneOf("get_json", "get_xml", "get_end"))
              .build();
      ToolSession session = ToolSession.of("c" + round);

      assertThat(calls(executor, session, round, "get_json", "get_xml")).isPositive();

      assertThat(starts.get()).as("both at once").isLessThan(1_000_000);
      assertThat(executor.execute(ToolCall.of("end", "get_end", "{}"), session).success())
          .as("the group is free in round %d", round)
          .isTrue();
    }
    Load.tell("groups: %d rounds, %d handler starts", rounds, starts.get());
  }

  /// Always fails. A handler whose call was cancelled is left behind, and no longer counts.
  private Tool failing(String name, Set<ToolContext> mine, Set<ToolContext> other) {
    return tool(
        name,
        (arguments, context) -> {
          starts.incrementAndGet();
          mine.add(context);
          try {
            boolean unusedWaited = never.await(300, TimeUnit.MICROSECONDS);
            if (!context.cancelled() && other.stream().anyMatch(one -> !one.cancelled())) {
              starts.addAndGet(1_000_000);
            }
            throw new IllegalStateException("always");
          } finally {
            mine.remove(context);
          }
        });
  }

  @Test
  void aCooldownHoldsForAllConversationsOfAnAgent() throws Exception {
    cools(new InProcessConversations(), Load.of(1_000));
    try (ConversationStore store = Storage.sqlite(folder.resolve("cool.db"), "a")) {
      cools(store, Load.of(100));
    }
  }

  private void cools(ConversationStore store, int sessions) throws Exception {
    starts.set(0);
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(tool("get_it", (arguments, context) -> starts.incrementAndGet()))
            .rules(ToolRule.cooldown("get_it", COOLDOWN))
            .store(store)
            .build();
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(5);
    int calls =
        Load.sideBySide(
                sessions,
                number -> {
                  ToolSession session = session("s" + number, store);
                  int done = 0;
                  while (System.nanoTime() < end && done < 500) {
                    ToolCall call = ToolCall.of("c" + done++, "get_it", "{}");
                    ToolResult unusedResult = executor.execute(call, session);
                  }
                  return done;
                })
            .stream()
            .mapToInt(Integer::intValue)
            .sum();
    double seconds = Load.since(begin);
    int most = (int) (seconds * 1000 / COOLDOWN.toMillis()) + 1;
    Load.tell(
        "cooldown: %d sessions, %d calls in %.1f s, %d starts of at most %d",
        sessions, calls, seconds, starts.get(), most);
    assertThat(starts.get()).isBetween(1, most);
  }

  @Test
  void aBreakersProbeIsNeverStuck() throws Exception {
    int rounds = Load.of(60);
    int calls = 0;
    for (int round = 0; round < rounds; round++) {
      calls += storm(round);
    }
    Load.tell("breaker: %d rounds, %d calls, closed again after each", rounds, calls);
  }

  /// Calls that time out, fail with an `Error` or are cancelled; then good ones.
  private int storm(int round) throws Exception {
    AtomicInteger good = new AtomicInteger();
    RandomGenerator random = new java.util.SplittableRandom(round);
    Tool moody =
        Tool.dynamic("get_it")
            .mode(ToolMode.READ)
            .timeout(Duration.ofMillis(3))
            .retry(RetryPolicy.NONE)
            .breaker(new BreakerOptions(3, Duration.ofMillis(5)))
            .handler(arguments -> {
              if (good.get() > 0) {
                return "done";
              }
              if (random.nextBoolean()) {
                throw new AssertionError("always");
              }
              return never.await(10, TimeUnit.MILLISECONDS);
            });
    ToolExecutor executor = ToolExecutor.of(moody);
    int calls = 0;
    for (int wave = 0; wave < 4; wave++) {
      calls += calls(executor, ToolSession.of("c" + wave), round, "get_it");
    }
    good.set(1);
    ToolSession session = ToolSession.of("after");
    AtomicInteger ids = new AtomicInteger();
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(2))
        .until(() ->
            executor
                .execute(ToolCall.of("c" + ids.incrementAndGet(), "get_it", "{}"), session)
                .success());
    assertThat(executor.breaker("get_it").position()).isEqualTo(BreakerState.Position.CLOSED);
    return calls + ids.get();
  }
}
