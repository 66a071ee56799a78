package dev.switchboard.execution;

import dev.switchboard.guard.Guards;
import dev.switchboard.handler.Tool;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// All listeners of an executor, called one after the other.
final class Listeners {
  private final List<ExecutionListener> all;
  private final RuleBook book;
  private final Time time;
  private final RateLimitedLog failures; // logs what they throw

  Listeners(List<ExecutionListener> all, RuleBook book, Time time) {
    this.all = List.copyOf(all);
    this.book = book;
    this.time = time;
    failures = new RateLimitedLog(time::nanos);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  void retrying(ToolCall call, int attempt, String cause, Duration pause) {
    if (!all.isEmpty()) {
      notifyEach(listener -> listener.retrying(call, attempt, cause, pause));
    }
  }

  void guarded(Guards.Report report, ToolSession session) {
    if (!all.isEmpty()) {
      ToolCall call = report.call();
      ExecutionListener.GuardRecord record =
          new ExecutionListener.GuardRecord(
              time.now(),
              session.conversationId(),
              report.name(),
              report.on(),
              report.then(),
              report.found(),
              report.error(),
              call == null ? null : call.id(),
              call == null ? null : call.name());
      notifyEach(listener -> listener.guarded(record));
    }
  }

  void settled(Call settled, ToolResult result) {
    if (all.isEmpty()) {
      return;
    }
    ToolCall call = settled.asked();
    Tool tool = book.find(call.name(), settled.session());
    ExecutionListener.CallRecord record =
        new ExecutionListener.CallRecord(
            time.now(),
            settled.session().conversationId(),
            settled.session().principal(),
            call,
            tool == null ? ToolMode.infer(call.name()) : tool.definition().mode(),
            result,
            settled.attemptCount(),
            settled.took(),
            settled.session().attributes(),
            actor(settled.session()),
            answeredBy(call.id(), settled.session()));
    notifyEach(listener -> listener.settled(record));
  }

  /// Who acts for the principal in this turn, or in the whole conversation as its host states.
  static @Nullable String actor(ToolSession session) {
    String inTurn = session.state().actor();
    return inTurn == null ? session.attributes().get(ExecutionListener.ACTOR) : inTurn;
  }

  private static @Nullable String answeredBy(String call, ToolSession session) {
    ConsentAnswer answer = session.state().answer(call);
    return answer == null || ResultCode.ofWord(answer.by()) != null ? null : answer.by();
  }

  private void notifyEach(Consumer<ExecutionListener> word) {
    for (ExecutionListener listener : all) {
      try {
        word.accept(listener);
      } catch (Throwable thrown) {
        // Also an Error: the call has its result whatever a listener does.
        failures.warn(
            System.getLogger(ExecutionListener.class.getName()), "a listener failed", thrown);
      }
    }
  }
}
