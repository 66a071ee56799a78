package dev.switchboard.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Services;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What a person is asked for is not done where the memory cannot say that it has to be.
class BlockConsentTest {
  private final InProcessMemory durable = new InProcessMemory();
  private final AtomicInteger failures = new AtomicInteger();

  /// The memory, of which the next reads of a block fail.
  private MemoryStore shaky() {
    return (MemoryStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {MemoryStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("block") && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("busy");
              }
              if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              try {
                return method.invoke(durable, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private ToolResult append(String label) {
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(BuiltInTools.of(List.of("block")))
            .services(Services.of("a", shaky(), Time.SYSTEM))
            .build();
    return executor.execute(
        ToolCall.of(
            "block",
            "{\"operation\":\"append\",\"label\":\"%s\",\"content\":\"x\"}".formatted(label)));
  }

  @Test
  void aFailureOfTheMemoryIsNoConsent() {
    Memory.begin(
        durable, List.of(Block.of("a", "mine", Block.Kind.CORE).withPermission(Permission.HUMAN)));
    failures.set(1);

    ToolResult result = append("mine");

    assertThat(durable.block("a", "mine")).extracting(Block::value).isEqualTo("");
    assertThat(result.json().text()).contains("no_approver");
  }

  @Test
  void aMissingBlockAsksNobody() {
    assertThat(append("mine").error()).contains("Block 'mine' was not found");
  }
}
