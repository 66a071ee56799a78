package dev.switchboard.wasm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.ToolCall;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// Ten thousand calls of a module leave nothing behind.
@Tag("load")
@Isolated // it measures the memory of the process
final class ManyCallsLoadTest {
  private static final double SIZE =
      Double.parseDouble(System.getProperty("switchboard.load", "1"));
  private static final int CALLS = Math.max(100, (int) (10_000 * SIZE));
  private static final String ARGUMENTS = "{\"item\":\"tea\",\"quantity\":3}";

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    MemoryUsage classes = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
    return heap.getUsed() + classes.getUsed();
  }

  @Test
  void memoryIsAsBefore() {
    WasmModule price =
        WasmModule.builder(Modules.resource("price.wasm")).timeout(Modules.PATIENCE).build();
    try (ToolExecutor executor = ToolExecutor.of(Modules.tool(price))) {
      call(executor, 2_000);
      long before = used();
      long begun = System.nanoTime();
      call(executor, CALLS);
      long nanos = System.nanoTime() - begun;
      long after = used();

      System.out.printf(
          "%,d calls of a module, one after the other: %,d us each; memory %,d KiB before, %,d KiB"
              + " after%n",
          CALLS, nanos / CALLS / 1_000, before >> 10, after >> 10);
      assertThat(after - before).as("bytes that stay").isLessThan(3 << 20);
    }
  }

  @Test
  void memoryIsAsBeforeAfterCallsThatFail() {
    WasmModule deep = deep();
    Tool tool = Tool.dynamic("run").breaker(new BreakerOptions(0, Duration.ZERO)).answeredBy(deep);
    try (ToolExecutor executor = ToolExecutor.of(tool)) {
      fail(executor, 500);
      long before = used();
      fail(executor, CALLS / 10);
      long after = used();

      System.out.printf(
          "%,d calls that end for lack of stack: memory %,d KiB before, %,d KiB after%n",
          CALLS / 10, before >> 10, after >> 10);
      assertThat(after - before).as("bytes that stay").isLessThan(3 << 20);
    }
  }

  private static WasmModule deep() {
    Wat wat = new Wat().memory(16);
    int plain = wat.type(List.of(), List.of());
    return Modules.module(wat.export("_start", wat.function(plain, Wat.call(0))).bytes());
  }

  private static void call(ToolExecutor executor, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(executor.execute(ToolCall.of("run", ARGUMENTS)).text())
          .isEqualTo("{\"total\":\"12.60\",\"currency\":\"EUR\"}");
    }
  }

  private static void fail(ToolExecutor executor, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(executor.execute(ToolCall.of("run", "{}")).error()).contains("nested too deeply");
    }
  }
}
