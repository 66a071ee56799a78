package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.json.Json;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.RecordingListener;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Areas handler, progress, error-envelope, retry (of handlers), registry and executor, by their
/// ids.
class CoreVectorsTest {
  private final ManualTime time = new ManualTime();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch never = new CountDownLatch(1);

  private ToolResult call(Tool tool, Json arguments) {
    return ToolExecutor.builder()
        .tools(List.of(tool))
        .time(time)
        .build()
        .execute(
            new ToolCall("c1", tool.name(), arguments),
            ToolSession.builder("conversation").events(events::add).build());
  }

  private ToolResult call(Tool tool) {
    return call(tool, Json.EMPTY_OBJECT);
  }

  private List<String> hints() {
    return events.stream()
        .flatMap(event ->
            event instanceof Event.LoaderHint hint
                ? List.of(hint.hint()).stream()
                : Stream.<String>empty())
        .toList();
  }

  private static List<String> strings(JsonNode list) {
    return list.valueStream().map(JsonNode::asString).toList();
  }

  @Test
  void c055TriesAHandlerAsOftenAsAWebhook() {
    Vector vector = Vectors.byId("C055");
    Tool tool =
        Tool.dynamic("t")
            .handler(arguments -> {
              String script = vector.given().at("/handler/" + runs.getAndIncrement()).asString();
              if (script.equals("throws")) {
                throw new IOException();
              }
              return Json.text(script.substring("returns ".length()));
            });
    ToolResult result = call(tool);
    assertThat(runs).hasValue(vector.expect().get("handler_invocations").intValue());
    assertThat(Json.text(String.valueOf(result.text())).tree())
        .isEqualTo(vector.expect().get("result_json"));
  }

  @Test
  void c063EveryFailureIsValidJsonWithoutAStackTrace() {
    Tool tool =
        Tool.dynamic("t")
            .handler(arguments -> {
              throw new IllegalStateException("line\n\tat \"quoted\" \ud800");
            });
    ToolResult result = call(tool);
    JsonNode read = Json.text(String.valueOf(result.text())).tree();
    assertThat(read.path("error").asString()).isNotEmpty().doesNotContain("\tat ");
    assertThat(read.path("fallback").asBoolean()).isTrue();
  }

  @Test
  void c081AStringIsReadAsItIs() {
    assertThat(call(Tool.dynamic("t").handler(arguments -> "Sunny")).text())
        .isEqualTo(Vectors.byId("C081").expect().get("result").asString());
  }

  @Test
  void c083AHandlerSeesWhoCalls() {
    JsonNode given = Vectors.byId("C083").given().get("context");
    AtomicReference<@Nullable ToolContext> seen = new AtomicReference<>();
    Tool tool =
        Tool.dynamic("t")
            .handler((arguments, context) -> {
              seen.set(context);
              return "ok";
            });
    ToolExecutor.of(tool)
        .execute(
            ToolCall.of("t", "{}"),
            ToolSession.builder(given.get("call_id").asString())
                .caller(given.get("caller").asString())
                .callee(given.get("callee").asString())
                .build());
    ToolContext context = seen.get();
    assertThat(List.of(context.conversationId(), context.caller(), context.callee()))
        .isEqualTo(strings(given));
  }

  @Test
  void c087AHandlerThatNeverReturnsTimesOut() {
    Vector vector = Vectors.byId("C087");
    Duration timeout = Duration.ofMillis(vector.given().get("timeout_ms").longValue());
    Tool tool =
        Tool.dynamic("t")
            .timeout(timeout)
            .handler(arguments -> {
              never.await();
              return "late";
            });
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> result.complete(call(tool)));
    time.awaitSleepers(1);
    time.advance(timeout);
    ToolResult settled = result.orTimeout(5, TimeUnit.MINUTES).join();
    assertThat(settled.error()).contains(vector.expect().get("error_contains").asString());
    assertThat(settled.fallback()).isTrue();
    assertThat(time.elapsed().toMillis()).isEqualTo(vector.expect().get("at_ms").longValue());
  }

  @Test
  void c088WhatCannotBeWrittenFailsOnce() {
    Vector vector = Vectors.byId("C088");
    Tool tool =
        Tool.dynamic("t")
            .handler(arguments -> {
              runs.incrementAndGet();
              return new Object() {
                @SuppressWarnings("unused")
                public Object getSelf() {
                  return this;
                }
              };
            });
    ToolResult result = call(tool);
    assertThat(runs).hasValue(vector.expect().get("handler_invocations").intValue());
    assertThat(Json.text(String.valueOf(result.text())).tree().isObject()).isTrue();
  }

  @Test
  void c089ProgressIsSaidBeforeTheResult() {
    Vector vector = Vectors.byId("C089");
    Tool tool =
        Tool.dynamic("t")
            .handler((arguments, context) -> {
              for (JsonNode yielded : vector.given().get("handler_yields")) {
                if (yielded.has("result")) {
                  return yielded.get("result").asString();
                }
                context.progress(yielded.get("progress").asString());
              }
              return "";
            });
    ToolResult result = call(tool);
    assertThat(hints()).isEqualTo(strings(vector.expect().get("spoken")));
    assertThat(result.text()).isEqualTo(vector.expect().get("function_result").asString());
    assertThat(events.getLast()).isInstanceOf(Event.ToolSettled.class);
  }

  @Test
  void c091WhatComesAfterTheResultIsDropped() {
    Vector vector = Vectors.byId("C091");
    AtomicReference<@Nullable ToolContext> kept = new AtomicReference<>();
    Tool tool =
        Tool.dynamic("t")
            .handler((arguments, context) -> {
              kept.set(context);
              return vector.given().at("/handler_yields/0/result").asString();
            });
    ToolResult result = call(tool);
    kept.get().progress("late");
    assertThat(result.text()).isEqualTo(vector.expect().get("function_result").asString());
    assertThat(hints()).isEqualTo(strings(vector.expect().get("spoken")));
  }

  @Test
  void c094TheReturnValueIsTheResult() {
    Vector vector = Vectors.byId("C094");
    Tool tool =
        Tool.dynamic("t")
            .handler((arguments, context) -> {
              context.progress("working");
              return vector.given().get("generator return value").asString();
            });
    assertThat(call(tool).text()).isEqualTo(vector.expect().get("function_result").asString());
  }

  @Test
  void r123ATimeoutNamesTheToolAndTheLoopGoesOn() {
    Vector vector = Vectors.byId("R123");
    Tool tool =
        Tool.dynamic("slow")
            .timeout(Duration.ofMillis(vector.given().get("timeout_ms").longValue()))
            .handler(arguments -> {
              never.await();
              return "late";
            });
    ToolResult result = ToolExecutor.of(tool).execute(ToolCall.of("slow", "{}"));
    assertThat(result.code()).isEqualTo(ResultCode.TIMEOUT);
    assertThat(result.error()).contains(strings(vector.expect().at("/0/mentions")));
    assertThat(result.isTerminal()).isFalse();
  }

  @Test
  void r125AHeartbeatIsTakenOutFirst() {
    JsonNode step = Json.text(Vectors.byId("R125").when()).tree();
    AtomicReference<@Nullable Json> seen = new AtomicReference<>();
    Tool tool =
        Tool.dynamic(
                "t",
                """
                {"type":"object","additionalProperties":false,
                 "properties":{"message":{"type":"string"}}}\
                """)
            .handler(arguments -> {
              seen.set(arguments);
              return "ok";
            });
    assertThat(call(tool, Json.of(step.at("/0/args"))).success()).isTrue();
    assertThat(seen.get().tree()).isEqualTo(Vectors.byId("R125").expect().at("/0/executed_args"));
  }

  @Test
  void r128AnAnswerOverTheLimitIsCutAndMarked() {
    Vector vector = Vectors.byId("R128");
    int limit = vector.given().at("/tools/t/return_limit").intValue();
    ToolResult result =
        call(Tool.dynamic("t").resultLimit(limit).handler(arguments -> "0123456789ABCDEF"));
    assertThat(result.text()).hasSize(vector.expect().at("/0/result_text_max").intValue());
    assertThat(result.truncated()).isTrue();
    assertThat(result.success()).isTrue();
  }

  @Test
  void r129ATakenNameIsAnErrorAndReplaceTheOverride() {
    String name = Vectors.byId("R129").given().at("/tools/0").asString();
    ToolRegistry registry = new ToolRegistry();
    registry.register(Tool.dynamic(name).handler(arguments -> 1));
    Tool second = Tool.dynamic(name).handler(arguments -> 2);
    assertThatThrownBy(() -> registry.register(second))
        .hasMessage("tool '%s' is defined twice", name);
    registry.replace(second);
    assertThat(registry.find(name)).isSameAs(second);
    assertThat(registry.list()).hasSize(1);
  }

  @Test
  void r130AToolThatCallsAnotherGoesThroughTheDoor() {
    RecordingListener listener = new RecordingListener();
    Tool search = Tool.dynamic("search").handler(arguments -> "found");
    Tool outer =
        Tool.dynamic("outer")
            .handler((arguments, context) -> context.tools().call("search", arguments).text());
    Tool wrong =
        Tool.dynamic("wrong")
            .handler((arguments, context) -> context.tools().call("search", Json.text("[]")));
    ToolExecutor executor =
        ToolExecutor.builder().tools(List.of(search, outer, wrong)).listener(listener).build();
    ToolSession session = ToolSession.of("conversation");
    assertThat(executor.execute(ToolCall.of("outer", "{}"), session).text()).isEqualTo("found");
    assertThat(executor.execute(ToolCall.of("wrong", "{}"), session).code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(listener.calls())
        .extracting(record -> record.call().name() + " " + record.conversationId())
        .containsExactly(
            "search conversation",
            "outer conversation",
            "search conversation",
            "wrong conversation");
  }

  @Test
  void r131NamesAreCaseSensitive() {
    String name = Vectors.byId("R131").given().at("/tools/0").asString();
    ToolResult result =
        ToolExecutor.of(Tool.dynamic(name).handler(arguments -> 1)).execute(ToolCall.of("A", "{}"));
    assertThat(result.code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
    assertThat(result.error()).contains("did you mean '" + name + "'?");
  }
}
