package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Exactly one valid result for every call, always, whatever the handler does. Random hostile
/// handlers called one by one, side by side and nested, with broken and good arguments.
class HostileHandlersTest {
  private static final long SEED = 20260314;
  private static final int ROUNDS = 40;
  private static final int CALLS = 8;

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
  private final Hostile hostile = new Hostile();
  private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();

  @AfterEach
  void end() {
    hostile.end();
  }

  private Tool hostile(String name) {
    Tool.DynamicBuilder tool =
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
      Hostile.Kind[] all = Hostile.Kind.values();
      return hostile.act(all[Math.floorMod(arguments.text().hashCode(), all.length)], context);
    });
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
    for (Hostile.Kind hostility : Hostile.Kind.values()) {
      Tool tool =
          Tool.dynamic("hostile_0", "{\"type\":\"object\"}")
              .timeout(Duration.ofMillis(30))
              .retry(RetryPolicy.NONE)
              .handler((arguments, context) -> hostile.act(hostility, context));
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
              while (!hostile.isOver()) {
                Thread.onSpinWait();
              }
              return "late";
            });
    List<ToolCall> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(ToolCall.of("get_spun", "{\"i\":" + i + "}"));
    }
    List<ToolResult> results = ToolExecutor.of(spin).executeAll(calls, ToolSession.of("c"));
    assertThat(results).extracting(ToolResult::code).containsOnly(ResultCode.TIMEOUT);
  }
}
