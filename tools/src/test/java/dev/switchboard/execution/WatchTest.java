package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// Attempts on the caller's own thread, by a clock made by hand.
class WatchTest extends WatchedCalls {
  @Test
  void runsOnTheCallersThread() {
    answer.complete("found");
    Host host = host(reader().answeredBy(new Waiting()));
    assertThat(host.settled().text()).isEqualTo("found");
    assertThat(threads).containsExactly(host.thread);
    assertThat(host.flag).isFalse();
  }

  @Test
  void isolatesWhatMayNotBeCutShort() {
    answer.complete("found");
    Tool once = finisher().retry(RetryPolicy.NONE).answeredBy(new Waiting());
    Host host = host(once);
    assertThat(host.settled().text()).isEqualTo("found");
    assertThat(threads).doesNotContain(host.thread);
  }

  @Test
  void isolatesACallOfACall() {
    answer.complete("found");
    List<Thread> outer = new CopyOnWriteArrayList<>();
    ToolExecutor executor =
        executor(
            reader().answeredBy(new Waiting()),
            Tool.dynamic("outer")
                .handler((arguments, context) -> {
                  outer.add(Thread.currentThread());
                  return context.tools().call("get_it", arguments).text();
                }));
    assertThat(executor.execute(call("outer"), session).text()).isEqualTo("found");
    assertThat(threads).hasSize(1).doesNotContainAnyElementsOf(outer);
  }

  @Test
  void endsAtTheTimeoutAndIsMadeAgain() {
    Host host =
        host(finisher().retry(RetryPolicy.DEFAULT.withMaxRetries(1)).answeredBy(new Deaf()));
    awaitAttempts(1);
    time.advance(Duration.ofMillis(9_999));
    assertThat(dropped).hasValue(0);
    time.advance(Duration.ofMillis(1));
    awaitAttempts(2);
    time.advance(Duration.ofSeconds(10));
    assertThat(host.settled().error())
        .isEqualTo("Tool failed after 2 attempts: 'book_it' timed out after 10 s");
    assertThat(threads).containsOnly(host.thread);
    assertThat(host.flag).isFalse();
  }

  @Test
  void endsAtTheDeadline() {
    Host host = host(reader().deadline(Duration.ofSeconds(3)).answeredBy(new Deaf()));
    awaitAttempts(1);
    time.advance(Duration.ofSeconds(3));
    assertThat(host.settled().error()).contains("timed out after 3 s");
  }

  @Test
  void endsWhenTheConversationIsCancelled() {
    Host host = host(reader().answeredBy(new Deaf()));
    awaitAttempts(1);
    session.cancel();
    assertThat(host.settled().code()).isEqualTo(ResultCode.CANCELLED);
    assertThat(dropped).hasValue(1);
    assertThat(host.flag).isFalse();
  }

  @Test
  void finishesDespiteCancellationIfToolSaysSo() {
    Host host = host(finisher().answeredBy(new Deaf()));
    awaitAttempts(1);
    session.cancel();
    answer.complete("booked");
    assertThat(host.settled().text()).isEqualTo("booked");
    assertThat(dropped).hasValue(0);
  }

  @Test
  void leavesAToolAllItsAttemptsAfterOneThatWasCutShort() {
    Host host = host(finisher().answeredBy(new Waiting()));
    awaitAttempts(1);
    host.thread.interrupt();
    awaitAttempts(2);
    answer.completeExceptionally(new IOException("no"));
    assertThat(host.settled().error()).contains("after 3 attempts");
    assertThat(attempts).containsExactly(1, 1, 2, 3);
    assertThat(host.flag).isTrue();
  }

  @Test
  void reassuresOnceWhileTheCallersThreadIsBusy() {
    Host host =
        host(
            reader()
                .reassurance(new Reassurance("One moment", Duration.ofMillis(800)))
                .answeredBy(new Deaf()));
    awaitAttempts(1);
    time.advance(Duration.ofMillis(799));
    assertThat(hints()).isEmpty();
    time.advance(Duration.ofMillis(1));
    Awaitility.await().until(() -> !hints().isEmpty());
    time.advance(Duration.ofSeconds(5));
    answer.complete("found");
    host.settled();
    time.advance(Duration.ofSeconds(5));
    assertThat(hints()).containsExactly("One moment");
    assertThat(events.getLast()).isInstanceOf(Event.ToolSettled.class);
  }

  @Test
  void doesNotWaitForAHostThatIsSlowToShowTheReassurance() {
    CountDownLatch shown = new CountDownLatch(1);
    ToolSession slow =
        ToolSession.builder("slow")
            .events(event -> {
              if (event instanceof Event.LoaderHint) {
                shown.countDown();
                awaitUninterrupted(never);
              }
            })
            .build();
    Tool tool =
        reader()
            .reassurance(new Reassurance("One moment", Duration.ofMillis(800)))
            .answeredBy(new Deaf());
    ToolExecutor executor = executor(tool);
    Thread.startVirtualThread(() -> executor.execute(call("get_it"), slow));
    awaitAttempts(1);
    time.advance(Duration.ofMillis(800));
    awaitUninterrupted(shown);
    time.advance(Duration.ofSeconds(10));
    assertThat(dropped).hasValue(1);
    never.countDown();
  }

  @Test
  void leavesNoAlarmBehind() {
    answer.complete("found");
    host(reader().answeredBy(new Waiting())).settled();
    session.cancel();
    time.advance(Duration.ofMinutes(1));
    assertThat(dropped).hasValue(0);
  }
}
