package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Interrupts of a thread that is at an attempt itself.
class WatchInterruptsTest extends WatchedCalls {
  @Test
  void takesAnInterruptAsCancellationAndGivesItBack() {
    Host host = host(reader().answeredBy(new Waiting()));
    awaitAttempts(1);
    host.thread.interrupt();
    assertThat(host.settled().code()).isEqualTo(ResultCode.CANCELLED);
    assertThat(host.flag).isTrue();
  }

  @Test
  void looksForInterruptsOfAPlatformThreadThatDoesNotNotice() {
    Host host = platformHost(reader().answeredBy(new Deaf()));
    awaitAttempts(1);
    host.thread.interrupt();
    time.advance(Duration.ofMillis(50));
    assertThat(host.settled().code()).isEqualTo(ResultCode.CANCELLED);
    assertThat(host.flag).isTrue();
    assertThat(dropped).hasValue(1);
  }

  @Test
  void goesOnLookingWhileNoOneInterrupts() {
    Host host = platformHost(reader().answeredBy(new Deaf()));
    awaitAttempts(1);
    time.advance(Duration.ofMillis(50));
    time.advance(Duration.ofMillis(50));
    host.thread.interrupt();
    time.advance(Duration.ofMillis(50));
    assertThat(host.settled().code()).isEqualTo(ResultCode.CANCELLED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void makesAnAttemptThatAnInterruptCutShortAgainElsewhere(boolean virtual) {
    Tool tool = finisher().answeredBy(new Waiting());
    Host host = virtual ? host(tool) : platformHost(tool);
    awaitAttempts(1);
    host.thread.interrupt();
    awaitAttempts(2);
    host.thread.interrupt();
    answer.complete("booked");
    assertThat(host.settled().text()).isEqualTo("booked");
    assertThat(host.flag).isTrue();
    assertThat(attempts).containsExactly(1, 1);
    assertThat(threads.getFirst()).isEqualTo(host.thread);
    assertThat(threads.getLast()).isNotEqualTo(host.thread);
    assertThat(dropped).hasValue(0);
  }

  @Test
  void doesNotRepeatAFailureForAnInterruptBesideIt() {
    Host host = host(finisher().answeredBy(new Deaf()));
    awaitAttempts(1);
    host.thread.interrupt();
    answer.completeExceptionally(ToolException.permanent("no such table"));
    assertThat(host.settled().error()).isEqualTo("no such table");
    assertThat(host.flag).isTrue();
    assertThat(attempts).containsExactly(1);
  }

  @Test
  void startsNoAttemptOnInterruptedThread() {
    Tool tool = reader().onInterrupt(ToolOptions.InterruptPolicy.CANCEL).answeredBy(new Waiting());
    Thread.currentThread().interrupt();
    ToolResult result = executor(tool).execute(call("get_it"), session);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.code()).isEqualTo(ResultCode.CANCELLED);
    assertThat(attempts).isEmpty();
  }

  @Test
  void finishesOnAnotherThreadIfInterruptedBefore() {
    answer.complete("booked");
    Tool tool = finisher().answeredBy(new Waiting());
    Thread.currentThread().interrupt();
    ToolResult result = executor(tool).execute(call("book_it"), session);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.text()).isEqualTo("booked");
    assertThat(threads).doesNotContain(Thread.currentThread());
  }
}
