package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Approver;
import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// One result for every call, whatever the host's own parts do.
class HostileHostTest extends ManualCalls {
  private final Tool quick = Tool.dynamic("quick").handler(arguments -> "done");

  private static ToolSession showing(Consumer<Event> sink) {
    return ToolSession.builder("conversation").events(sink).build();
  }

  private static Consumer<Event> failingOn(Class<? extends Event> kind) {
    return event -> {
      if (kind.isInstance(event)) {
        throw new AssertionError("broken");
      }
    };
  }

  @Test
  void survivesASinkThatThrowsErrors() {
    ToolExecutor executor = executor(quick);
    assertThat(executor.execute(call("quick"), showing(failingOn(Event.class))).text())
        .isEqualTo("done");
    List<ToolCall> two = List.of(call("quick"), new ToolCall("c2", "quick", Json.EMPTY_OBJECT));
    assertThat(executor.executeAll(two, showing(failingOn(Event.class))))
        .extracting(ToolResult::text)
        .containsExactly("done", "done");
  }

  @Test
  void survivesASinkThatThrowsAtTheReassurance() {
    Tool slow =
        Tool.dynamic("slow")
            .timeout(Duration.ofMillis(50))
            .reassurance(new Reassurance("One moment...", Duration.ZERO))
            .handler(arguments -> {
              never.await();
              return "never";
            });
    List<ToolCall> two = List.of(call("slow"), new ToolCall("c2", "slow", Json.EMPTY_OBJECT));
    assertThat(ToolExecutor.of(slow).executeAll(two, showing(failingOn(Event.LoaderHint.class))))
        .extracting(ToolResult::code)
        .containsExactly(ResultCode.TIMEOUT, ResultCode.TIMEOUT);
  }

  @Test
  void survivesAListenerThatThrowsErrors() {
    ExecutionListener broken =
        new ExecutionListener() {
          @Override
          public void settled(ExecutionListener.CallRecord call) {
            throw new AssertionError("broken");
          }
        };
    ToolExecutor executor = ToolExecutor.builder().tools(List.of(quick)).listener(broken).build();
    assertThat(executor.execute(call("quick"), session).text()).isEqualTo("done");
  }

  @Test
  void runsNothingWhenTheApproverBreaks() {
    Tool local =
        Tool.dynamic("shell_run").parallel(true).handler(arguments -> runs.incrementAndGet());
    Approver broken =
        request -> {
          throw new IllegalStateException("no terminal");
        };
    ToolExecutor executor = ToolExecutor.builder().tools(List.of(local)).approver(broken).build();
    List<ToolCall> two =
        List.of(call("shell_run"), new ToolCall("c2", "shell_run", Json.EMPTY_OBJECT));
    assertThat(executor.executeAll(two, session))
        .extracting(ToolResult::code)
        .containsOnly(ResultCode.NO_APPROVER);
    assertThat(runs).hasValue(0);
  }

  @Test
  void freesThePlaceOfAProbeThatBroke() {
    Tool flaky =
        Tool.dynamic("delete_it")
            .breaker(new BreakerOptions(1, Duration.ofSeconds(30)))
            .handler(arguments -> fail(1, new IllegalStateException()));
    ToolExecutor executor = executor(flaky);
    executor.execute(call("delete_it"));
    time.advance(Duration.ofSeconds(30));
    ToolSession broken = showing(failingOn(Event.class));
    assertThat(executor.execute(call("delete_it"), broken).success()).isTrue();
    assertThat(executor.breaker("delete_it").position()).isEqualTo(BreakerState.Position.CLOSED);
  }

  @Test
  void answersACallThatASinkMakes() {
    AtomicReference<ToolSession> own = new AtomicReference<>();
    List<String> texts = new ArrayList<>();
    Tool talking =
        Tool.dynamic("talking")
            .timeout(Duration.ofMillis(100))
            .handler((arguments, context) -> {
              context.progress("Searching...");
              return "found";
            });
    ToolExecutor executor = ToolExecutor.of(quick, talking);
    own.set(
        showing(event -> {
          if (event instanceof Event.ToolCalled called && called.call().name().equals("quick")) {
            ToolCall more = new ToolCall("c2", "talking", Json.EMPTY_OBJECT);
            texts.add(String.valueOf(executor.execute(more, own.get()).callId()));
          }
        }));
    assertThat(executor.execute(call("quick"), own.get()).text()).isEqualTo("done");
    assertThat(texts).containsExactly("c2");
  }

  @Test
  void keepsIdsOfNestedCallsApartFromTheModels() {
    Tool outer =
        Tool.dynamic("outer")
            .inline()
            .handler((arguments, context) -> context.tools().call("quick", arguments).text());
    List<ToolCall> calls =
        List.of(call("outer"), new ToolCall("c1.1.1", "quick", Json.EMPTY_OBJECT));
    assertThat(executor(outer, quick).executeAll(calls, session))
        .extracting(ToolResult::text)
        .containsExactly("done", "done");
  }
}
