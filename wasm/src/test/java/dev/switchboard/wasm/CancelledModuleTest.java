package dev.switchboard.wasm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Calls that are ended from outside: the module's threads are free again.
final class CancelledModuleTest {
  private static final int MANY = 3 * Math.max(2, Runtime.getRuntime().availableProcessors());

  private final ModuleThreads guests = new ModuleThreads();
  private final WasmModule patient =
      WasmModule.builder(Modules.running(Wat.forever()))
          .timeout(Duration.ofMinutes(1))
          .guests(guests)
          .build();
  private final WasmModule echo =
      WasmModule.builder(Modules.echo()).timeout(Modules.PATIENCE).guests(guests).build();

  private ToolResult call(Duration timeout) {
    Tool tool = Tool.dynamic("run").timeout(timeout).answeredBy(patient);
    try (ToolExecutor executor = ToolExecutor.of(tool)) {
      return executor.execute(ToolCall.of("run", "{}"));
    }
  }

  @AfterEach
  void othersRunOnTheSameThreads() {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      answers.add(
          CompletableFuture.supplyAsync(
              () -> Modules.call(echo, "{\"a\":1}").text(), Thread::startVirtualThread));
    }
    assertThat(answers.stream().map(CompletableFuture::join)).containsOnly("{\"a\":1}");
  }

  @Test
  void theToolsOwnTimeoutEndsTheModule() {
    assertThat(call(Duration.ofMillis(50)).code()).isEqualTo(ResultCode.TIMEOUT);
  }

  @Test
  void callsThatWaitForTheirTurnEndInTimeToo() {
    List<CompletableFuture<ToolResult>> calls = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      calls.add(
          CompletableFuture.supplyAsync(
              () -> call(Duration.ofMillis(50)), Thread::startVirtualThread));
    }

    assertThat(calls.stream().map(call -> call.join().code())).containsOnly(ResultCode.TIMEOUT);
  }

  @Test
  void aCancelledConversationEndsTheModule() {
    Tool tool = Modules.tool(patient);
    try (ToolExecutor executor = ToolExecutor.of(tool)) {
      ToolSession session = ToolSession.builder("s").build();
      CompletableFuture<ToolResult> call =
          CompletableFuture.supplyAsync(() -> executor.execute(ToolCall.of("run", "{}"), session));
      while (!guests.busy()) {
        Thread.onSpinWait();
      }
      session.cancel();

      assertThat(call.join().code()).isEqualTo(ResultCode.CANCELLED);
    }
  }
}
