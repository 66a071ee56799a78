package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BatchesTest {
  private final List<String> order = new CopyOnWriteArrayList<>();

  private Tool logged(String name, boolean parallel) {
    return Tool.dynamic(name)
        .parallel(parallel)
        .handler(arguments -> {
          order.add(name);
          return name;
        });
  }

  private static ToolCall call(String name) {
    return ToolCall.of(name, Json.EMPTY_OBJECT);
  }

  @Test
  void r127RunsAToolThatMayNotOverlapAlone() {
    ToolExecutor executor =
        ToolExecutor.of(logged("p1", true), logged("s", false), logged("p2", true));
    List<ToolResult> results =
        executor.executeAll(
            List.of(call("p1"), call("s"), call("p2")), ToolSession.of("conversation"));
    assertThat(order).containsExactly("p1", "s", "p2");
    assertThat(results).extracting(ToolResult::text).containsExactly("p1", "s", "p2");
  }

  @Test
  void runsOverlappingCallsSideBySide() {
    CyclicBarrier both = new CyclicBarrier(2);
    Tool meeting =
        Tool.dynamic("get_met")
            .handler(arguments -> {
              both.await(10, TimeUnit.SECONDS);
              return "met";
            });
    List<ToolResult> results =
        ToolExecutor.of(meeting)
            .executeAll(List.of(call("get_met"), call("get_met")), ToolSession.of("conversation"));
    assertThat(results).extracting(ToolResult::text).containsExactly("met", "met");
  }

  @Test
  void r126OneRefusedCallDoesNotStopTheOthers() {
    ToolExecutor executor = ToolExecutor.of(logged("a", true), logged("c", true));
    List<ToolResult> results =
        executor.executeAll(
            List.of(call("a"), call("b_missing"), call("c")), ToolSession.of("conversation"));
    assertThat(results).extracting(ToolResult::success).containsExactly(true, false, true);
  }

  @Test
  void answersTwoCallsOfOneIdOnce() {
    ToolExecutor executor = ToolExecutor.of(logged("a", true));
    ToolCall call = call("a");
    List<ToolResult> results =
        executor.executeAll(List.of(call, call), ToolSession.of("conversation"));
    assertThat(results).hasSize(2);
    assertThat(order).containsExactly("a");
  }

  @Test
  void givesNoResultsForNoCalls() {
    assertThat(ToolExecutor.of().executeAll(List.of(), ToolSession.of("c"))).isEmpty();
  }
}
