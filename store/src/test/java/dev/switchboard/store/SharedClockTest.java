package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Times that processes compare are those of the storage's clock, whatever a process's own says.
class SharedClockTest {
  private static final Instant THERE = Instant.parse("2031-05-01T12:00:00Z");

  /// The store, whose clock is not this machine's.
  private static ConversationStore with(Time clock, ConversationStore store) {
    return (ConversationStore)
        Proxy.newProxyInstance(
            SharedClockTest.class.getClassLoader(),
            new Class<?>[] {ConversationStore.class},
            (proxy, method, arguments) -> {
              try {
                return method.getName().equals("time") ? clock : method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static ToolExecutor executor(ConversationStore store) {
    return ToolExecutor.builder()
        .tools(Tool.dynamic("pay").handler(arguments -> "paid"))
        .rules(List.of(ToolRule.consent("pay")))
        .consentTimeout(Duration.ofMinutes(5))
        .store(store)
        .build();
  }

  private static ToolSession session(ConversationStore store) {
    return ToolSession.builder("c").store(store).build();
  }

  @Test
  void anExecutorHasTheClockOfItsStore() {
    ManualTime clock = new ManualTime(THERE);
    ConversationStore store = with(clock, new InProcessConversations());
    ToolExecutor executor = executor(store);
    var unused = executor.submitAll(List.of(ToolCall.of("c1", "pay", "{}")), session(store));

    assertThat(store.directory().waiting())
        .extracting(ConsentRequest::expiresAt)
        .containsExactly(THERE.plus(Duration.ofMinutes(5)));
    assertThat(executor(store).expire(session(store))).isEmpty();
    clock.advance(Duration.ofMinutes(5));
    assertThat(executor(store).expire(session(store))).hasSize(1);
  }

  @Test
  void toLookAtRequestsChangesNothing() {
    ManualTime clock = new ManualTime(THERE);
    ConversationStore store = with(clock, new InProcessConversations());
    ToolExecutor executor = executor(store);
    ToolSession session = session(store);
    var unused = executor.submitAll(List.of(ToolCall.of("c1", "pay", "{}")), session);
    Cell.Version<ConversationState> before = store.state("c").load();

    assertThat(executor.rules(session(store)).open()).hasSize(1);
    clock.advance(Duration.ofHours(1));
    assertThat(executor.rules(session(store)).open()).isEmpty();
    assertThat(store.state("c").load()).isEqualTo(before);
  }
}
