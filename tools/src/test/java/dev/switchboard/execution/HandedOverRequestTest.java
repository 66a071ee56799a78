package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A request for consent whose conversation another process is to continue.
class HandedOverRequestTest {
  private final ManualTime time = new ManualTime();
  private final InProcessConversations store = new InProcessConversations();
  private final ToolExecutor executor =
      ToolExecutor.builder()
          .time(time)
          .tools(Tool.dynamic("pay").handler(arguments -> "paid"))
          .rules(ToolRule.consent("pay"))
          .build();

  private ToolSession session() {
    return ToolSession.builder("c").store(store).time(time).build();
  }

  @Test
  void expiresInTheProcessThatContinuesTheConversation() {
    ToolSession first = session();
    first.host().acquire(new SeenLeases());
    executor.submitAll(List.of(ToolCall.of("pay", "{}")), first);
    time.advance(Duration.ofDays(2));
    first.lease().handOver();

    assertThat(executor.expire(first)).isEmpty();

    assertThat(executor.expire(session()))
        .extracting(ToolResult::code)
        .containsExactly(ResultCode.CONSENT_TIMEOUT);
  }
}
