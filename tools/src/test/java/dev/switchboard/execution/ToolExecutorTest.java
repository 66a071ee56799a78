package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.RecordingListener;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The stages of the door, in their order.
class ToolExecutorTest {
  private final List<Event> events = new ArrayList<>();
  private final ToolSession session =
      ToolSession.builder("conversation-1").events(events::add).build();
  private final AtomicInteger runs = new AtomicInteger();

  private Tool counting(String name) {
    return Tool.dynamic(name).handler(arguments -> "run " + runs.incrementAndGet());
  }

  private static ToolCall call(String id, String name) {
    return new ToolCall(id, name, Json.EMPTY_OBJECT);
  }

  @Test
  void answersACall() {
    ToolResult result = ToolExecutor.of(counting("go")).execute(ToolCall.of("go", "{}"));
    assertThat(result.success()).isTrue();
    assertThat(result.text()).isEqualTo("run 1");
  }

  @Test
  void showsTheCallAndItsResult() {
    ToolExecutor.of(counting("go")).execute(call("c1", "go"), session);
    assertThat(events.stream().map(event -> event.json().text()))
        .containsExactly(
            "{\"type\":\"tool_call\",\"payload\":{\"id\":\"c1\",\"name\":\"go\",\"arguments\":{}},"
                + "\"mode\":\"external\"}",
            "{\"type\":\"tool_result\",\"payload\":"
                + "{\"callId\":\"c1\",\"success\":true,\"text\":\"run 1\"},\"tool\":\"go\"}");
  }

  @Test
  void showsTheModeOfEveryCallAndTheToolOfEveryResult() {
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(
                Tool.dynamic("read_disk")
                    .mode(ToolMode.LOCAL)
                    .handler((arguments, context) ->
                        context.tools().call("delete_row", Json.EMPTY_OBJECT)),
                Tool.dynamic("delete_row").handler(arguments -> "gone"),
                Tool.dynamic("init").mode(ToolMode.READ).handler(arguments -> "ready"))
            .rules(ToolRule.startWith("init"))
            .approver(request -> Answer.approveOnce())
            .build();
    var unused = executor.rules(session).begin();
    executor.executeAll(List.of(call("c1", "read_disk"), call("c2", "unknown")), session);
    executor.refuse(new ToolCall("c3", "", Json.EMPTY_OBJECT), "a call needs 'name'", session);
    executor.execute(call("c4", "delete_row"), session);

    assertThat(events.stream().filter(Event.ToolCalled.class::isInstance).map(Event::json))
        .map(event -> event.tree().at("/payload/name").asString() + " " + event.tree().path("mode"))
        .containsExactly(
            "init \"read\"",
            "read_disk \"local\"",
            "delete_row \"destructive\"",
            "unknown ",
            " ",
            "delete_row \"destructive\"");
    assertThat(events.stream().filter(Event.ToolSettled.class::isInstance).map(Event::json))
        .map(event -> event.tree().path("tool").asString())
        .containsExactlyInAnyOrder("init", "delete_row", "read_disk", "unknown", "", "delete_row");
  }

  @Test
  void suggestsTheClosestNamesForAnUnknownTool() {
    ToolResult result =
        ToolExecutor.of(counting("get_weather")).execute(call("c1", "get_wether"), session);
    assertThat(result.code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
    assertThat(result.error()).isEqualTo("Unknown tool 'get_wether': did you mean 'get_weather'?");
    assertThat(result.needsFollowup()).isTrue();
    assertThat(result.isTerminal()).isFalse();
    assertThat(events).hasSize(2);
  }

  @Test
  void neverRunsAHandlerWithBadArguments() {
    Tool tool =
        Tool.dynamic(
                "t",
                """
                {"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}\
                """)
            .handler(arguments -> runs.incrementAndGet());
    ToolResult result = ToolExecutor.of(tool).execute(ToolCall.of("t", "{\"n\":4.7}"));
    assertThat(result.code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(result.faults()).singleElement().extracting("pointer").isEqualTo("/n");
    assertThat(runs).hasValue(0);
  }

  @Test
  void asksTheRulesAfterTheArguments() {
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(List.of(counting("process")))
            .tools(counting("validate"))
            .rules(ToolRule.after("process", "validate"))
            .build();
    ToolResult result = executor.execute(call("c1", "process"), session);
    assertThat(result.error())
        .isEqualTo(
            "Tool rule violation: Tool 'process' cannot be executed: "
                + "prerequisites ['validate'] not met");
    assertThat(result.violation()).isEqualTo("PREREQUISITES_NOT_MET");
    assertThat(executor.execute(ToolCall.of("process", "[]")).code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(runs).hasValue(0);
  }

  @Test
  void deniesLocalToolsWithNoOneToAsk() {
    ToolResult result = ToolExecutor.of(counting("shell_run")).execute(call("c1", "shell_run"));
    assertThat(result.code()).isEqualTo(ResultCode.NO_APPROVER);
    assertThat(runs).hasValue(0);
  }

  @Test
  void runsALocalToolThatSomebodyApproved() {
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(List.of(Tool.dynamic("run").mode(ToolMode.LOCAL).handler(arguments -> "done")))
            .approver(request -> Answer.approveOnce())
            .build();
    assertThat(executor.execute(call("c1", "run")).text()).isEqualTo("done");
  }

  @Test
  void returnsTheFirstResultForTheSameCallAgain() {
    ToolExecutor executor = ToolExecutor.of(counting("go"));
    ToolCall call = call("c1", "go");
    ToolResult first = executor.execute(call, session);
    assertThat(executor.execute(call, session)).isEqualTo(first);
    assertThat(executor.execute(call("c1", "go"), session)).isEqualTo(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void returnsTheFirstResultOfABigCallToo() {
    Tool tool =
        Tool.dynamic("go", "{\"type\":\"object\"}").handler(arguments -> runs.incrementAndGet());
    ToolExecutor executor = ToolExecutor.of(tool);
    String big = "{\"text\":\"" + "x".repeat((int) CallLog.MAX_CHARACTERS) + "\"}";
    ToolCall call = new ToolCall("c1", "go", Json.text(big));
    executor.execute(call, session);
    assertThat(executor.execute(call, session).text()).isEqualTo("1");
    // It is forgotten with the next one, which is not.
    executor.execute(call("c2", "go"), session);
    assertThat(executor.execute(call, session).code()).isEqualTo(ResultCode.DUPLICATE_ID);
    assertThat(executor.execute(call("c2", "go"), session).text()).isEqualTo("2");
  }

  @Test
  void refusesAnIdWhoseResultIsForgotten() {
    ToolExecutor executor = ToolExecutor.of(counting("go"));
    for (int n = 0; n <= CallLog.MAX_CALLS; n++) {
      executor.execute(call("c" + n, "go"), session);
      session.nextTurn();
    }
    ToolResult again = executor.execute(call("c0", "go"), session);
    assertThat(again.code()).isEqualTo(ResultCode.DUPLICATE_ID);
    assertThat(again.error())
        .isEqualTo(
            "The id 'c0' was used, or may have been, for a call whose result is no longer known.");
    String latest = "c" + (CallLog.MAX_CALLS / 2 + 1);
    assertThat(executor.execute(call(latest, "go"), session).text())
        .isEqualTo("run " + (CallLog.MAX_CALLS / 2 + 2));
    assertThat(runs).hasValue(CallLog.MAX_CALLS + 1);
  }

  @Test
  void hasTheResultOfACallThatTookLongerThanManyOthers() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch others = new CountDownLatch(1);
    Tool slow =
        Tool.dynamic("slow")
            .handler(arguments -> {
              begun.countDown();
              others.await();
              return "slow " + runs.incrementAndGet();
            });
    ToolExecutor executor = ToolExecutor.of(slow, counting("go"));
    ToolCall call = call("slow", "slow");
    Thread caller = Thread.startVirtualThread(() -> executor.execute(call, session));
    begun.await();
    for (int n = 0; n <= CallLog.MAX_CALLS; n++) {
      executor.execute(call("c" + n, "go"), session);
    }
    others.countDown();
    caller.join();
    String text = executor.execute(call, session).text();
    assertThat(text).isEqualTo("slow " + runs);
    for (int n = 0; n < CallLog.MAX_CALLS / 2; n++) {
      executor.execute(call("d" + n, "go"), session);
    }
    assertThat(executor.execute(call, session).text()).isEqualTo(text);
  }

  @Test
  void hasAResultFromTheStoreThatTheLogHasForgotten() {
    ToolExecutor executor = ToolExecutor.of(counting("go"));
    ToolSession stored = ToolSession.builder("c").store(new InProcessConversations()).build();
    for (int n = 0; n <= CallLog.MAX_CALLS; n++) {
      executor.execute(call("c" + n, "go"), stored);
      stored.nextTurn();
    }
    assertThat(executor.execute(call("c0", "go"), stored).text()).isEqualTo("run 1");
    assertThat(runs).hasValue(CallLog.MAX_CALLS + 1);
  }

  @Test
  void refusesAnotherCallUnderTheSameId() {
    ToolExecutor executor = ToolExecutor.of(counting("go"), counting("come"));
    executor.execute(call("c1", "go"), session);
    assertThat(executor.execute(call("c1", "come"), session).code())
        .isEqualTo(ResultCode.DUPLICATE_ID);
    assertThat(runs).hasValue(1);
  }

  @Test
  void waitsForACallThatStillRunsUnderTheSameId() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    Tool slow =
        Tool.dynamic("slow")
            .handler(arguments -> {
              started.countDown();
              released.await();
              return "run " + runs.incrementAndGet();
            });
    ToolExecutor executor = ToolExecutor.of(slow);
    List<ToolResult> results = java.util.Collections.synchronizedList(new ArrayList<>());
    Thread first =
        Thread.startVirtualThread(() -> results.add(executor.execute(call("c1", "slow"), session)));
    started.await();
    Thread second =
        Thread.startVirtualThread(() -> results.add(executor.execute(call("c1", "slow"), session)));
    released.countDown();
    first.join();
    second.join();
    assertThat(results).extracting(ToolResult::text).containsExactly("run 1", "run 1");
  }

  @Test
  void skipsCallsAfterATerminalResultUntilTheNextTurn() {
    Tool end = Tool.dynamic("end").handler(arguments -> ToolResult.error("no such account"));
    ToolExecutor executor = ToolExecutor.of(end, counting("go"));
    assertThat(executor.execute(call("c1", "end"), session).isTerminal()).isTrue();
    assertThat(executor.execute(call("c2", "go"), session).code())
        .isEqualTo(ResultCode.SKIPPED_AFTER_EXIT);
    session.nextTurn();
    assertThat(executor.execute(call("c3", "go"), session).success()).isTrue();
  }

  @Test
  void letsToolsCallToolsThroughTheSameDoor() {
    Tool outer =
        Tool.dynamic("outer")
            .handler((arguments, context) -> context.tools().call("inner", arguments).text());
    Tool inner =
        Tool.dynamic("inner")
            .handler((arguments, context) -> context.conversationId() + context.toolCallId());
    ToolResult result = ToolExecutor.of(outer, inner).execute(call("c1", "outer"), session);
    assertThat(result.text()).isEqualTo("conversation-1c1.1.1");
    assertThat(events.get(1))
        .isInstanceOfSatisfying(
            Event.ToolCalled.class, called -> assertThat(called.auto()).isTrue());
  }

  @Test
  void stopsToolsThatCallToolsForEver() {
    AtomicInteger depth = new AtomicInteger();
    Tool loop =
        Tool.dynamic("loop")
            .handler((arguments, context) -> {
              depth.incrementAndGet();
              return context.tools().call("loop", arguments);
            });
    ToolResult result = ToolExecutor.of(loop).execute(call("c1", "loop"), session);
    assertThat(result.error()).contains("at most 4 deep");
    assertThat(depth).hasValue(4);
  }

  @Test
  void tellsListenersOfEveryCallOnce() {
    RecordingListener listener = new RecordingListener();
    ToolExecutor executor =
        ToolExecutor.builder().tools(List.of(counting("go"))).listener(listener).build();
    executor.execute(call("c1", "go"), session);
    executor.execute(call("c2", "nope"), session);
    assertThat(listener.calls())
        .extracting(record -> record.call().id() + record.attempts())
        .containsExactly("c11", "c20");
  }

  @Test
  void survivesListenersAndSinksThatThrow() {
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(List.of(counting("go")))
            .listener(
                new ExecutionListener() {
                  @Override
                  public void settled(ExecutionListener.CallRecord call) {
                    throw new IllegalStateException("broken");
                  }
                })
            .build();
    ToolSession broken =
        ToolSession.builder("c")
            .events(event -> {
              throw new IllegalStateException("broken");
            })
            .build();
    assertThat(executor.execute(call("c1", "go"), broken).success()).isTrue();
  }

  @Test
  void answersWhateverAHandlerReturns() {
    record Point(int x) {}
    ToolExecutor executor =
        ToolExecutor.of(
            Tool.dynamic("text").handler(arguments -> "Sunny"),
            Tool.dynamic("record").handler(arguments -> new Point(1)),
            Tool.dynamic("map").handler(arguments -> Map.of("a", 1)),
            Tool.dynamic("nothing").handler(arguments -> null),
            Tool.dynamic("empty").handler(arguments -> ""),
            Tool.dynamic("later")
                .handler(
                    arguments -> java.util.concurrent.CompletableFuture.completedFuture("later")),
            Tool.dynamic("result")
                .handler(arguments -> Json.text("{\"success\":true,\"message\":\"Done.\"}")),
            Tool.dynamic("lookalike")
                .handler(arguments -> Json.text("{\"success\":true,\"rows\":3}")),
            Tool.dynamic("unwritable")
                .handler(arguments ->
                    new Object() {
                      @SuppressWarnings("unused")
                      public Object getSelf() {
                        throw new IllegalStateException("secret");
                      }
                    }));
    assertThat(executor.execute(call("c", "text")).text()).isEqualTo("Sunny");
    ToolResult point = executor.execute(call("c", "record"));
    assertThat(point.text()).isEqualTo("{\"x\":1}");
    assertThat(point.data()).isEqualTo(Json.text("{\"x\":1}"));
    assertThat(executor.execute(call("c", "map")).text()).isEqualTo("{\"a\":1}");
    assertThat(executor.execute(call("c", "nothing")).text()).isEqualTo("null");
    assertThat(executor.execute(call("c", "empty")).text()).isEqualTo("(empty)");
    assertThat(executor.execute(call("c", "later")).text()).isEqualTo("later");
    ToolResult own = executor.execute(call("c", "result"));
    assertThat(own.message()).isEqualTo("Done.");
    assertThat(own.data()).isNull();
    ToolResult lookalike = executor.execute(call("c", "lookalike"));
    assertThat(lookalike.data()).isNull();
    assertThat(lookalike.more()).containsEntry("rows", Json.text("3"));
    ToolResult unwritable = executor.execute(call("c", "unwritable"));
    assertThat(unwritable.code()).isEqualTo(ResultCode.FAILED);
    assertThat(unwritable.text()).doesNotContain("secret");
  }

  @Test
  void hidesWhatAnExceptionSaysUnlessItWasMeantForTheModel() {
    Tool tool =
        Tool.dynamic("t")
            .retry(dev.switchboard.tool.RetryPolicy.NONE)
            .handler(arguments -> {
              throw new java.sql.SQLException("password is hunter2");
            });
    ToolResult result = ToolExecutor.of(tool).execute(call("c", "t"));
    assertThat(result.error())
        .isEqualTo("Tool failed after 1 attempt: internal error (SQLException)");
    assertThat(result.text())
        .isEqualTo(
            "{\"success\":false,\"needsFollowup\":true,"
                + "\"error\":\"Tool failed after 1 attempt: internal error (SQLException)\","
                + "\"code\":\"failed\",\"fallback\":true}");
    ToolExecutor open = ToolExecutor.builder().tools(List.of(tool)).exposeErrors(true).build();
    assertThat(open.execute(call("c", "t")).error()).contains("hunter2");
  }

  @Test
  void givesEveryToolADynamicFace() {
    record Place(String city) {}
    Tool weather =
        Tool.typed("get_weather", Place.class)
            .description("Current weather.")
            .usageRule("Use it when the user asks about weather.")
            .handler(place -> Map.of("city", place.city(), "sky", "clear"));
    ToolExecutor executor = ToolExecutor.of(weather, counting("go"));
    ToolDefinition face = weather.definition();
    assertThat(face.description()).isEqualTo("Current weather.");
    assertThat(face.usageRule()).contains("weather");
    assertThat(face.parameters().tree().at("/properties/city/type").asString()).isEqualTo("string");
    Json rome = executor.executeJson("get_weather", Json.text("{\"city\":\"Rome\"}"));
    assertThat(rome.tree().path("sky").asString()).isEqualTo("clear");
    Json town = executor.executeJson("get_weather", Json.text("{\"town\":\"Rome\"}"));
    assertThat(town.tree().path("error").asString())
        .contains("/city: expected string, found missing", "/town");
    assertThat(executor.executeJson("go", Json.EMPTY_OBJECT)).isEqualTo(Json.text("\"run 1\""));
  }

  @Test
  void asksNoOneForACallThatAToolMakes() {
    Tool outer =
        Tool.dynamic("outer")
            .handler((arguments, context) -> context.tools().call("shell_run", arguments));
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(outer, counting("shell_run"))
            .approver(request -> Answer.approveOnce())
            .build();
    assertThat(executor.execute(call("c1", "outer"), session).code())
        .isEqualTo(ResultCode.NO_APPROVER);
    assertThat(executor.execute(call("c2", "shell_run"), session).success()).isTrue();
    assertThat(runs).hasValue(1);
  }

  @Test
  void acceptsEmptyStringIfNoArgumentsAreRequired() {
    ToolCall empty = ToolCall.of("c", "go", "\"\"");
    assertThat(ToolExecutor.of(counting("go")).execute(empty).success()).isTrue();
    assertThat(ToolExecutor.of(counting("go")).execute(ToolCall.of("go", "")).success()).isTrue();
    Tool needy =
        Tool.dynamic(
                "needy", "{\"type\":\"object\",\"properties\":{\"n\":{}},\"required\":[\"n\"]}")
            .handler(arguments -> 1);
    assertThat(ToolExecutor.of(needy).execute(ToolCall.of("needy", "")).code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
  }
}
