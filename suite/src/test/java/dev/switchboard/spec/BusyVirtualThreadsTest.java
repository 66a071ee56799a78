package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.spec.Trouble.Stuck;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("other tests need the virtual threads that it takes")
class BusyVirtualThreadsTest {
  @Test
  void timesOutWebhookWhileAllVirtualThreadsAreBusy() throws IOException {
    AtomicBoolean over = new AtomicBoolean();
    try (Stuck stuck = Trouble.NO_ANSWER.make()) {
      try {
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
          Thread.startVirtualThread(() -> {
            while (!over.get()) {
              Thread.onSpinWait();
            }
          });
        }
        Tool tool = WatchedWebhooksTest.tool(stuck, Duration.ofMillis(60)).webhook(stuck.url());
        assertThat(
                ToolExecutor.of(tool)
                    .execute(ToolCall.of(tool.name(), "{}"), ToolSession.of("conversation"))
                    .code())
            .isEqualTo(ResultCode.TIMEOUT);
      } finally {
        over.set(true); // before the webhook ends, whose threads need room
      }
    }
  }
}
