package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.DynamicToolBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// SPEC 3: exactly one valid result for every call, always, whatever the handler does. Random
/// hostile handlers called one by one, side by side and nested, with broken and good arguments.
class HostileHandlersTest {
  private static final long SEED = 20260314;
  private static final int ROUNDS = 40;
  private static final int CALLS = 8;

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
  private final AtomicBoolean over = new AtomicBoolean();
  private final CountDownLatch never = new CountDownLatch(1);
  private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();

  private enum Hostility {
    THROW_CHECKED,
    THROW_ERROR,
    THROW_THROWABLE_THAT_THROWS,
    THROW_WITHOUT_MESSAGE,
    STACK_OVERFLOW,
    OUT_OF_MEMORY,
    INTERRUPT_ITSELF,
    NEVER_RETURN,
    IGNORE_INTERRUPTS,
    RETURN_NULL,
    RETURN_ITSELF,
    RETURN_ENDLESS_ITERATOR,
    RETURN_SLOW_GETTER,
    RETURN_BROKEN_JSON,
    RETURN_HALF_SURROGATES,
    RETURN_DEEP_NESTING,
    RETURN_NEVER_COMPLETED,
    RETURN_FAILED_STAGE,
    RETURN_CANCELLED_STAGE,
    RETURN_STAGE_OF_STAGES,
    RETURN_OPTIONAL,
    RETURN_CLASS,
    RETURN_EMPTY_RESULT,
    CALL_ITSELF,
    PERMANENT_WITHOUT_TEXT,
    ANSWER
  }

  @AfterEach
  void end() {
    over.set(true);
    never.countDown();
  }

  private Tool hostile(String name) {
    DynamicToolBuilder tool =
        Tool.dynamic(
                name,
                """
                {"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}\
                """)
            .timeout(Duration.ofMillis(20))
            .deadline(Duration.ofMillis(60))
            .resultLimit(1 + random.nextInt(200))
            .retry(
                RetryPolicy.DEFAULT
                    .withMaxRetries(random.nextInt(3))
                    .withPauses(Duration.ofMillis(1), Duration.ofMillis(2)))
            .parallel(random.nextBoolean());
    return tool.handler((arguments, context) -> {
      context.progress("working");
      Hostility[] all = Hostility.values();
      return act(all[Math.floorMod(arguments.text().hashCode(), all.length)], context);
    });
  }

  private @Nullable Object act(Hostility hostility, ToolContext context) throws Exception {
    return switch (hostility) {
      case THROW_CHECKED -> throw new Exception("secret");
      case THROW_ERROR -> throw new AssertionError("secret");
      case THROW_THROWABLE_THAT_THROWS -> throw new HostileException();
      case THROW_WITHOUT_MESSAGE -> throw new NullPointerException();
      case STACK_OVERFLOW -> overflow(0);
      case OUT_OF_MEMORY -> throw new OutOfMemoryError("simulated");
      case INTERRUPT_ITSELF -> {
        Thread.currentThread().interrupt();
        throw new InterruptedException();
      }
      case NEVER_RETURN -> {
        never.await();
        yield "late";
      }
      case IGNORE_INTERRUPTS -> {
        while (!over.get()) {
          try {
            never.await();
          } catch (InterruptedException ignored) {
            // That is the point.
          }
        }
        yield "late";
      }
      case RETURN_NULL -> null;
      case RETURN_ITSELF -> {
        Map<String, Object> self = new HashMap<>();
        self.put("self", self);
        yield self;
      }
      case RETURN_ENDLESS_ITERATOR -> endless();
      case RETURN_SLOW_GETTER -> new Slow(never);
      case RETURN_BROKEN_JSON -> Json.text("{\"a\":");
      case RETURN_HALF_SURROGATES -> List.of("\ud800", "x");
      case RETURN_DEEP_NESTING -> deep();
      case RETURN_NEVER_COMPLETED -> new CompletableFuture<>();
      case RETURN_FAILED_STAGE -> CompletableFuture.failedFuture(new HostileException());
      case RETURN_CANCELLED_STAGE -> {
        CompletableFuture<Object> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        yield cancelled;
      }
      case RETURN_STAGE_OF_STAGES ->
          CompletableFuture.completedFuture(CompletableFuture.completedFuture("deep"));
      case RETURN_OPTIONAL -> Optional.of("x");
      case RETURN_CLASS -> HostileHandlersTest.class;
      case RETURN_EMPTY_RESULT -> ToolResult.builder(false).build();
      case CALL_ITSELF -> context.tools().call("hostile_0", Json.of(Map.of("n", 1)));
      case PERMANENT_WITHOUT_TEXT -> throw ToolException.permanent("");
      case ANSWER -> "fine";
    };
  }

  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }

  private Iterator<Integer> endless() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        // Ends with the test, or it would fill the memory behind it.
        return !over.get() && !Thread.currentThread().isInterrupted();
      }

      @Override
      public Integer next() {
        Thread.yield();
        return 1;
      }
    };
  }

  private static Object deep() {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      list = new ArrayList<>(List.of(list));
    }
    return list;
  }

  record Slow(CountDownLatch never) {
    public String getValue() throws InterruptedException {
      never.await();
      return "late";
    }
  }

  private static final class HostileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("hostile");
    }

    @Override
    public String toString() {
      throw new StackOverflowError();
    }
  }

  private Json arguments() {
    return switch (random.nextInt(8)) {
      case 0 -> Json.text("");
      case 1 -> Json.text("{\"n\":4.7}");
      case 2 -> Json.text("[".repeat(random.nextInt(5000)));
      case 3 -> Json.text("{\"n\":1,\"n\":2}");
      default -> Json.text("{\"n\":" + random.nextInt(1_000_000) + "}");
    };
  }

  @Test
  void everyCallHasExactlyOneValidResult() {
    List<Tool> tools = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      tools.add(hostile("hostile_" + i));
    }
    ToolExecutor executor = ToolExecutor.builder().tools(tools).exposeErrors(true).build();
    for (int round = 0; round < ROUNDS; round++) {
      ToolSession session = ToolSession.builder("c" + round).events(events::add).build();
      List<ToolCall> calls = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        String name = random.nextInt(10) == 0 ? "unknown" : "hostile_" + random.nextInt(CALLS);
        String id = random.nextInt(10) == 0 ? "same" : "call_" + i;
        calls.add(new ToolCall(id, name, arguments()));
      }
      check(calls, executor.executeAll(calls, session));
    }
    awaitAllSettled();
  }

  private void check(List<ToolCall> calls, List<ToolResult> results) {
    assertThat(results).hasSameSizeAs(calls);
    for (int i = 0; i < results.size(); i++) {
      ToolResult result = results.get(i);
      assertThat(result.callId()).isEqualTo(calls.get(i).id());
      assertThat(result.text()).isNotEmpty();
      assertThat(ToolResult.read(result.json())).isEqualTo(result);
      assertThat(result.success() || result.error() != null).isTrue();
      assertThat(String.valueOf(result.text())).doesNotContain("\tat ");
    }
  }

  /// A tool that was left behind may still have a call of its own under way.
  private void awaitAllSettled() {
    Awaitility.await()
        .untilAsserted(() ->
            assertThat(events.stream().filter(Event.ToolSettled.class::isInstance))
                .hasSameSizeAs(
                    events.stream().filter(Event.ToolCalled.class::isInstance).toList()));
  }

  @Test
  void everyHostilityIsMet() throws Exception {
    for (Hostility hostility : Hostility.values()) {
      Tool tool =
          Tool.dynamic("hostile_0", "{\"type\":\"object\"}")
              .timeout(Duration.ofMillis(30))
              .retry(RetryPolicy.NONE)
              .handler((arguments, context) -> act(hostility, context));
      ToolResult result = ToolExecutor.of(tool).execute(ToolCall.of("hostile_0", "{}"));
      assertThat(result.text()).as(hostility.name()).isNotEmpty();
    }
  }

  @Test
  void handlersThatComputeForEverHoldUpNoResult() {
    Tool spin =
        Tool.dynamic("get_spun")
            .timeout(Duration.ofMillis(20))
            .handler(arguments -> {
              while (!over.get()) {
                Thread.onSpinWait();
              }
              return "late";
            });
    List<ToolCall> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(ToolCall.of("get_spun", "{}"));
    }
    List<ToolResult> results = ToolExecutor.of(spin).executeAll(calls, ToolSession.of("c"));
    assertThat(results).extracting(ToolResult::code).containsOnly(ResultCode.TIMEOUT);
  }
}
