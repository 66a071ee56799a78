package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// Handlers that answer after their call's time.
class LateAnswersTest {
  private static final ToolDefaults NO_BREAKER =
      ToolDefaults.NONE.withBreaker(new BreakerOptions(0, Duration.ofSeconds(1)));

  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  private Object deaf() {
    begun.incrementAndGet();
    boolean done = false;
    while (!done) {
      try {
        end.await();
        done = true;
      } catch (InterruptedException e) {
        // It does not end when it is told to.
      }
    }
    ended.incrementAndGet();
    return "late";
  }

  @Test
  void areLoggedOnceAMinute() {
    Logger logger = Logger.getLogger(ToolExecutor.class.getName());
    Handler handler = handler();
    logger.addHandler(handler);
    Tool tool = Tool.dynamic("deaf").timeout(Duration.ofMillis(10)).handler(in -> deaf());
    ToolExecutor executor = ToolExecutor.builder().tools(tool).defaults(NO_BREAKER).build();
    ToolSession session = ToolSession.of("late");
    try {
      // A handler may not have begun when its time is over.
      for (int i = 0; begun.get() < 3; i++) {
        assertThat(executor.execute(ToolCall.of("c" + i, "deaf", "{}"), session).code())
            .isEqualTo(ResultCode.TIMEOUT);
      }
      end.countDown();
      Awaitility.await().until(() -> ended.get() == begun.get() && !logged.isEmpty());
    } finally {
      logger.removeHandler(handler);
    }

    assertThat(logged).containsExactly("tool 'deaf' answered after its call had ended");
  }

  private Handler handler() {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        // Those of tests beside this one are not counted.
        if (line.getMessage().startsWith("tool 'deaf'")) {
          logged.add(line.getMessage());
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
