package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// How tools are run that say nothing themselves.
class ToolDefaultsTest {
  private static final ToolDefaults ALL =
      ToolDefaults.NONE
          .withTimeout(Duration.ofSeconds(2))
          .withDeadline(Duration.ofSeconds(15))
          .withRetry(RetryPolicy.DEFAULT.withMaxRetries(1))
          .withBreaker(new BreakerOptions(2, Duration.ofMinutes(1)))
          .withReassurance(Reassurance.of("One moment"))
          .withResultLimit(500)
          .withRepeatLimit(1);

  private static ToolOptions options(Tool tool) {
    ToolExecutor executor = ToolExecutor.builder().tools(tool).defaults(ALL).build();
    return Objects.requireNonNull(executor.tools().find(tool.name())).options();
  }

  @Test
  void holdWhereAToolStatesNothing() {
    ToolOptions options = options(Tool.dynamic("get_x").handler(any -> "x"));

    assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(options.deadline()).isEqualTo(Duration.ofSeconds(15));
    assertThat(options.retry().maxRetries()).isEqualTo(1);
    assertThat(options.breaker().failureThreshold()).isEqualTo(2);
    assertThat(options.reassurance()).isEqualTo(Reassurance.of("One moment"));
    assertThat(options.resultLimit()).isEqualTo(500);
    assertThat(options.repeatLimit()).isEqualTo(1);
  }

  @Test
  void aToolsOwnWins() {
    ToolOptions options =
        options(
            Tool.dynamic("get_x")
                .timeout(Duration.ofSeconds(3))
                .deadline(Duration.ofSeconds(9))
                .retry(RetryPolicy.NONE)
                .breaker(BreakerOptions.OFF)
                .reassurance("Own")
                .resultLimit(7)
                .repeatLimit(0)
                .handler(any -> "x"));

    assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(options.deadline()).isEqualTo(Duration.ofSeconds(9));
    assertThat(options.retry()).isEqualTo(RetryPolicy.NONE);
    assertThat(options.breaker()).isEqualTo(BreakerOptions.OFF);
    assertThat(options.reassurance()).isEqualTo(Reassurance.of("Own"));
    assertThat(options.resultLimit()).isEqualTo(7);
    assertThat(options.repeatLimit()).isZero();
  }

  @Test
  void retriesDestructiveCallOnlyIfToolSaysSo() {
    assertThat(options(Tool.dynamic("delete_x").handler(any -> "x")).retry().maxRetries()).isZero();
    RetryPolicy own = RetryPolicy.DEFAULT;
    assertThat(options(Tool.dynamic("delete_x").retry(own).handler(any -> "x")).retry())
        .isEqualTo(own);
  }

  @Test
  void anInlineToolIsNotReassured() {
    assertThat(options(Tool.dynamic("get_x").inline().handler(any -> "x")).reassurance()).isNull();
  }

  @Test
  void reachTheBreakerTheAgentAndNoRegistryOfTheHost() {
    AtomicInteger runs = new AtomicInteger();
    Tool broken =
        Tool.dynamic("get_x")
            .handler(any -> {
              runs.incrementAndGet();
              throw new IllegalStateException();
            });
    ToolDefaults once =
        ToolDefaults.NONE
            .withRetry(RetryPolicy.NONE)
            .withBreaker(new BreakerOptions(1, Duration.ofMinutes(1)));
    ToolExecutor executor = ToolExecutor.builder().tools(broken).defaults(once).build();
    assertThat(executor.execute(ToolCall.of("get_x", "{}")).success()).isFalse();
    assertThat(executor.breaker("get_x").position()).isEqualTo(BreakerState.Position.OPEN);
    assertThat(runs).hasValue(1);

    try (Agent agent =
        Agent.builder("a")
            .model(new ScriptedModel())
            .tools(broken)
            .defaults(once.withTimeout(Duration.ofSeconds(1)))
            .build()) {
      Tool known = Objects.requireNonNull(agent.executor().tools().find("get_x"));
      assertThat(known.options().timeout()).isEqualTo(Duration.ofSeconds(1));
    }

    ToolRegistry own = new ToolRegistry();
    own.register(broken);
    ToolExecutor other = ToolExecutor.builder().registry(own).defaults(once).build();
    assertThat(Objects.requireNonNull(other.tools().find("get_x"))).isSameAs(broken);
  }

  @Test
  void areRefusedOutOfTheirBounds() {
    Tool tool = Tool.dynamic("get_x").handler(any -> "x");
    ToolDefaults none = ToolDefaults.NONE.withTimeout(Duration.ZERO);

    assertThatThrownBy(() -> tool.withDefaults(none)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void holdForWebhooksToo() {
    try (StubWebhook server = StubWebhook.start()) {
      server.answer(StubAnswer.of(500, "no"));
      Tool tool =
          Tool.dynamic("look")
              .mode(ToolMode.READ)
              .network(GuardedHttp.allowing(server.hostAndPort()))
              .webhook(URI.create(server.url()));
      ToolDefaults once = ToolDefaults.NONE.withRetry(RetryPolicy.NONE);
      ToolExecutor executor = ToolExecutor.builder().tools(tool).defaults(once).build();

      assertThat(executor.execute(ToolCall.of("look", "{}")).error())
          .startsWith("Tool failed after 1 attempt: HTTP 500");
      assertThat(server.requests()).hasSize(1);
    }
  }
}
