package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
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
              both.await(5, TimeUnit.MINUTES);
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

  /// Events of calls, as `call id` and `result id`.
  private final List<String> shown = new CopyOnWriteArrayList<>();

  private ToolSession watched() {
    return ToolSession.builder("conversation")
        .events(event -> {
          if (event instanceof Event.ToolCalled called) {
            shown.add("call " + called.call().id());
          } else if (event instanceof Event.ToolSettled settled) {
            shown.add("result " + settled.result().callId());
          }
        })
        .build();
  }

  /// Waits until the other call's result was shown.
  private Tool waitingFor(String event) {
    return Tool.dynamic("get_late")
        .handler(arguments -> {
          Awaitility.await().until(() -> shown.contains(event));
          return "late";
        });
  }

  @Test
  void showsAndRecordsEachResultWhenItsCallIsDone() {
    List<String> recorded = new CopyOnWriteArrayList<>();
    ToolSession session = watched();
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(waitingFor("result fast"), logged("get_fast", true))
            .listener(
                new ExecutionListener() {
                  @Override
                  public void settled(ExecutionListener.CallRecord call) {
                    recorded.add(call.call().id());
                  }
                })
            .build();
    List<ToolResult> results =
        executor.executeAll(
            List.of(
                ToolCall.of("late", "get_late", "{}"),
                ToolCall.of("fast", "get_fast", "{}"),
                ToolCall.of("none", "get_none", "{}")),
            session);
    assertThat(results).extracting(ToolResult::callId).containsExactly("late", "fast", "none");
    assertThat(shown)
        .containsExactly(
            "call late", "call fast", "call none", "result none", "result fast", "result late");
    assertThat(recorded).containsExactly("none", "fast", "late");
  }

  @Test
  void writesWhatRulesCountWhenACallIsDone() {
    ToolSession session = watched();
    Tool late =
        Tool.dynamic("get_late")
            .handler(arguments -> {
              Awaitility.await()
                  .until(
                      () -> session.state().rules().conversation().of("get_fast").succeeded() == 1);
              return "late";
            });
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(late, logged("get_fast", true))
            .rules(ToolRule.of("get_fast", new RuleType.MaxCalls(3)))
            .build();
    assertThat(executor.executeAll(List.of(call("get_late"), call("get_fast")), session))
        .extracting(ToolResult::success)
        .containsExactly(true, true);
  }

  @Test
  void firstCallInOrderDecidesWhyTheTurnEnds() {
    ToolSession session = watched();
    Tool bye =
        Tool.dynamic("get_late")
            .handler(arguments -> {
              Awaitility.await().until(() -> shown.contains("result exit"));
              return ToolResult.builder(true).terminal(true).message("Bye.").build();
            });
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(bye, logged("get_out", true), logged("get_more", true))
            .rules(ToolRule.exitAfter("get_out"))
            .build();
    List<ToolResult> results =
        executor.executeAll(
            List.of(
                ToolCall.of("bye", "get_late", "{}"),
                ToolCall.of("exit", "get_out", "{}"),
                ToolCall.of("more", "get_more", "{}")),
            session);
    assertThat(shown.indexOf("result exit")).isLessThan(shown.indexOf("result bye"));
    assertThat(session.state().exit()).isEqualTo(StopReason.TERMINAL_RESULT);
    assertThat(results.getLast().code()).isEqualTo(ResultCode.SKIPPED_AFTER_EXIT);
  }

  @Test
  void runsApprovedCallAfterLaterCallEndedTheTurn() {
    ToolSession session = watched();
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(
                Tool.dynamic("get_asked").mode(ToolMode.LOCAL).parallel(true).handler(a -> "ran"),
                logged("get_out", true))
            .rules(ToolRule.exitAfter("get_out"))
            .approver(request -> {
              Awaitility.await().until(session::exited);
              return Answer.approveOnce();
            })
            .build();
    assertThat(executor.executeAll(List.of(call("get_asked"), call("get_out")), session))
        .extracting(ToolResult::text)
        .containsExactly("ran", "get_out");
  }

  @Test
  void countsStartsInTheOrderOfTheCalls() {
    for (int round = 0; round < 50; round++) {
      ToolExecutor executor =
          ToolExecutor.builder()
              .tools(logged("get_it", true))
              .rules(ToolRule.of("get_it", new RuleType.MaxCalls(2)))
              .build();
      List<ToolCall> calls =
          Collections.nCopies(4, "get_it").stream().map(BatchesTest::call).toList();
      assertThat(executor.executeAll(calls, ToolSession.of("c" + round)))
          .extracting(ToolResult::success)
          .containsExactly(true, true, false, false);
    }
  }

  @Tag("slow")
  @Test
  void runsHundredThousandCallsInLinearTime() {
    List<ToolCall> calls =
        IntStream.range(0, 100_000).mapToObj(n -> ToolCall.of("c" + n, "get_none", "{}")).toList();
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(logged("get_it", true), logged("get_first", true))
            .rules(ToolRule.after("get_it", "get_first"))
            .build();
    assertThat(executor.executeAll(calls, ToolSession.of("conversation")))
        .extracting(ToolResult::code)
        .containsOnly(ResultCode.UNKNOWN_TOOL)
        .hasSize(100_000);
  }

  @Tag("slow")
  @Test
  void cancelsRestOfLongRoundAtOnce() {
    ToolSession session = watched();
    Tool ending =
        Tool.dynamic("end_it")
            .handler(arguments -> {
              session.cancel();
              return "ended";
            });
    List<ToolCall> calls = new ArrayList<>();
    calls.add(ToolCall.of("first", "end_it", "{}"));
    IntStream.range(0, 20_000)
        .forEach(n -> calls.add(ToolCall.of("c" + n, n % 2 == 0 ? "create_a" : "get_b", "{}")));
    List<ToolResult> results =
        ToolExecutor.of(ending, logged("create_a", false), logged("get_b", true))
            .executeAll(calls, session);
    assertThat(results.getFirst().text()).isEqualTo("ended");
    assertThat(results.subList(1, results.size()))
        .extracting(ToolResult::code)
        .containsOnly(ResultCode.CANCELLED)
        .hasSize(20_000);
    assertThat(order).isEmpty();
  }

  @Test
  void runsOnCallersThreadIfNoThreadCanBeCreated() {
    List<Thread> at = new CopyOnWriteArrayList<>();
    List<Integer> results =
        Batches.sideBySide(
            List.of(1, 2, 3),
            item -> true,
            item -> {
              at.add(Thread.currentThread());
              return 10 * item;
            },
            work -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    assertThat(results).containsExactly(10, 20, 30);
    assertThat(at).containsOnly(Thread.currentThread()).hasSize(3);
  }

  @Test
  void waitsForNoWorkThatBreaks() {
    assertThatThrownBy(() ->
            Batches.sideBySide(
                List.of(1, 2),
                item -> true,
                item -> {
                  throw new IllegalStateException("broken " + item);
                }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken 1");
  }
}
