package dev.switchboard.wasm;

import static dev.switchboard.wasm.Modules.call;
import static dev.switchboard.wasm.Modules.module;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// What a module's call comes to.
final class WasmModuleTest {
  @Test
  void readsTheArgumentsAndWritesTheAnswer() {
    ToolResult result = call(module(Modules.echo()), "{\"a\":[1,\"\\u00e4\"]}");

    assertThat(result.success()).isTrue();
    assertThat(result.text()).isEqualTo("{\"a\":[1,\"\\u00e4\"]}");
    assertThat(result.data()).isNotNull();
  }

  @Test
  void answersWithTextThatIsNotAJsonObject() {
    assertThat(call(module(Modules.writing(" 12 EUR\n"))).text()).isEqualTo("12 EUR");
    assertThat(call(module(Modules.writing("{12"))).text()).isEqualTo("{12");
    assertThat(call(module(Modules.running())).text()).isEqualTo("(empty)");
  }

  @Test
  void takesAnEnvelopeAsTheResult() {
    ToolResult result = call(module(Modules.writing("{\"success\":false,\"error\":\"no\"}")));

    assertThat(result.success()).isFalse();
    assertThat(result.error()).isEqualTo("no");
  }

  @Test
  void failsOnceWithAnExitCodeAndTheEndOfStandardError() {
    Wat wat = new Wat();
    int write = wat.wasi("fd_write", 4);
    int exit = wat.imported(Wat.WASI, "proc_exit", wat.type(List.of(Wat.I32), List.of()));
    byte[] bytes =
        wat.memory(1)
            .data(64, "no such item\n")
            .start(Wat.write(write, 2, 64, 13), Wat.i32(3), Wat.call(exit))
            .bytes();

    ToolResult result = call(module(bytes));

    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.error()).contains("exit code 3: no such item").doesNotContain("attempts");
  }

  @Test
  void endsWellWithTheExitCodeZero() {
    assertThat(call(module(Modules.exiting(0))).success()).isTrue();
  }

  @Test
  void beginsEachCallWithAFreshMemory() {
    // Counts at 16 and exits with the count.
    Wat wat = new Wat();
    int exit = wat.imported(Wat.WASI, "proc_exit", wat.type(List.of(Wat.I32), List.of()));
    byte[] bytes =
        wat.memory(1)
            .start(
                Wat.i32(16),
                Wat.load(16),
                Wat.i32(1),
                Wat.b(0x6a, 0x36, 2, 0),
                Wat.load(16),
                Wat.call(exit))
            .bytes();
    WasmModule module = module(bytes);

    assertThat(call(module).error()).contains("exit code 1");
    assertThat(call(module).error()).contains("exit code 1");
  }

  @Test
  void callsAnotherFunctionAfterInitialize() {
    // _initialize puts 7 at 16, price gives what is there.
    Wat wat = new Wat().memory(1);
    int initialize = wat.function(wat.type(List.of(), List.of()), Wat.store(16, 7));
    int price = wat.function(wat.type(List.of(), List.of(Wat.I32)), Wat.load(16));
    byte[] bytes = wat.export("_initialize", initialize).export("price", price).bytes();

    WasmModule module =
        WasmModule.builder(bytes).function("price").timeout(Modules.PATIENCE).build();

    assertThat(call(module).error()).contains("exit code 7");
  }

  @Test
  void anExitWhileItIsInitializedIsTheEnd() {
    Wat wat = new Wat().memory(1);
    int exit = wat.imported(Wat.WASI, "proc_exit", wat.type(List.of(Wat.I32), List.of()));
    int plain = wat.type(List.of(), List.of());
    byte[] bytes =
        wat.export("_initialize", wat.function(plain, Wat.i32(0), Wat.call(exit)))
            .export("price", wat.function(plain, Wat.b(0)))
            .bytes();

    ToolResult result =
        call(WasmModule.builder(bytes).function("price").timeout(Modules.PATIENCE).build());

    assertThat(result.error()).contains("exit code 0 before 'price' was called");
  }

  @Test
  void logsStandardErrorWithVisibleControlCharacters() {
    Wat wat = new Wat();
    int write = wat.wasi("fd_write", 4);
    byte[] bytes =
        wat.memory(1).data(64, "seen \u001b[31m it").start(Wat.write(write, 2, 64, 13)).bytes();
    Logger logger = Logger.getLogger(WasmModule.class.getName());
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler = new Lines(lines);
    logger.setLevel(Level.FINE);
    logger.addHandler(handler);
    try {
      assertThat(call(module(bytes)).success()).isTrue();
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(null);
    }

    assertThat(lines).contains("module: seen \\u001b[31m it");
  }

  private static final class Lines extends Handler {
    private final List<String> lines;

    Lines(List<String> lines) {
      this.lines = lines;
      setLevel(Level.ALL);
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void hasTheModeReadAndIsTriedOnce() {
    Tool tool = Modules.tool(module(Modules.echo()));

    assertThat(tool.definition().mode()).isEqualTo(ToolMode.READ);
    assertThat(tool.options().retry().maxRetries()).isZero();
  }

  @Test
  void aTimeoutOfAges() {
    WasmModule module =
        WasmModule.builder(Modules.echo()).timeout(Duration.ofSeconds(Long.MAX_VALUE)).build();

    assertThat(call(module, "{\"a\":1}").text()).isEqualTo("{\"a\":1}");
  }

  @Test
  void manyCallsAtOnceDoNotMeet() {
    WasmModule module = module(Modules.echo());
    List<Thread> threads = new ArrayList<>();
    List<String> wrong = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 50; i++) {
      String text = "{\"n\":" + i + "}";
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                String answer = call(module, text).text();
                if (!text.equals(answer)) {
                  wrong.add(text + " " + answer);
                }
              }));
    }
    threads.forEach(WasmModuleTest::join);

    assertThat(wrong).isEmpty();
  }

  private static void join(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofMinutes(5))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
