package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Arguments;
import dev.switchboard.handler.DynamicToolBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.InterruptPolicy;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Attempts on the caller's own thread, by a clock made by hand.
@Timeout(10)
class WatchTest extends ManualCalls {
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final List<Integer> attempts = new CopyOnWriteArrayList<>();
  private final AtomicInteger dropped = new AtomicInteger();
  private final CompletableFuture<Object> answer = new CompletableFuture<>();

  /// Waits for the answer until it is dropped, as a request does.
  private class Waiting implements ToolHandler {
    @Override
    public Object handle(Arguments arguments, ToolContext context) throws Exception {
      threads.add(Thread.currentThread());
      attempts.add(context.attempt());
      CompletableFuture<Object> end = answer.copy();
      context.onCancel(() -> {
        dropped.incrementAndGet();
        end.completeExceptionally(new IOException("dropped"));
      });
      return await(end);
    }

    Object await(CompletableFuture<Object> end) throws Exception {
      return end.get();
    }

    @Override
    public boolean endsWhenCancelled() {
      return true;
    }
  }

  /// As a socket of a platform thread does, it takes no notice of interrupts, and leaves the flag.
  private final class Deaf extends Waiting {
    @Override
    Object await(CompletableFuture<Object> end) throws Exception {
      while (!end.isDone()) {
        LockSupport.parkNanos(100_000);
      }
      if (end.isCompletedExceptionally()) {
        throw (Exception) end.exceptionNow();
      }
      return end.resultNow();
    }
  }

  /// A thread that makes one call.
  private final class Host {
    final CompletableFuture<ToolResult> result = new CompletableFuture<>();
    final AtomicBoolean flag = new AtomicBoolean();
    final Thread thread;

    Host(Thread.Builder builder, ToolExecutor executor, String tool) {
      thread =
          builder.start(() -> {
            ToolResult settled = executor.execute(call(tool), session);
            flag.set(Thread.currentThread().isInterrupted());
            result.complete(settled);
          });
    }

    ToolResult settled() {
      return ManualCalls.settled(result);
    }
  }

  private Host host(Tool tool) {
    return new Host(Thread.ofVirtual(), executor(tool), tool.name());
  }

  private Host platformHost(Tool tool) {
    return new Host(Thread.ofPlatform().daemon(), executor(tool), tool.name());
  }

  private void awaitAttempts(int count) {
    Awaitility.await().until(() -> attempts.size() >= count);
  }

  private static DynamicToolBuilder reader() {
    return Tool.dynamic("get_it").retry(RetryPolicy.NONE);
  }

  private static DynamicToolBuilder finisher() {
    return Tool.dynamic("book_it");
  }

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
  void finishesThoughTheConversationIsCancelledWhereItsToolSaysSo() {
    Host host = host(finisher().answeredBy(new Deaf()));
    awaitAttempts(1);
    session.cancel();
    answer.complete("booked");
    assertThat(host.settled().text()).isEqualTo("booked");
    assertThat(dropped).hasValue(0);
  }

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
  void goesOnLookingWhileNobodyInterrupts() {
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
  void doesNotRepeatAFailureForAnInterruptBesideIt() {
    Host host = host(finisher().answeredBy(new Deaf()));
    awaitAttempts(1);
    host.thread.interrupt();
    answer.completeExceptionally(ToolException.permanent("no such table"));
    assertThat(host.settled().error()).endsWith("after 1 attempt: no such table");
    assertThat(host.flag).isTrue();
    assertThat(attempts).containsExactly(1);
  }

  @Test
  void startsNothingForAThreadThatIsInterruptedAlreadyWhereThatCancels() {
    Tool tool = reader().onInterrupt(InterruptPolicy.CANCEL).answeredBy(new Waiting());
    Thread.currentThread().interrupt();
    ToolResult result = executor(tool).execute(call("get_it"), session);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.code()).isEqualTo(ResultCode.CANCELLED);
    assertThat(attempts).isEmpty();
  }

  @Test
  void finishesElsewhereForAThreadThatIsInterruptedAlready() {
    answer.complete("booked");
    Tool tool = finisher().answeredBy(new Waiting());
    Thread.currentThread().interrupt();
    ToolResult result = executor(tool).execute(call("book_it"), session);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.text()).isEqualTo("booked");
    assertThat(threads).doesNotContain(Thread.currentThread());
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
