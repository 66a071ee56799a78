package dev.switchboard.wasm;

import static dev.switchboard.wasm.Modules.call;
import static dev.switchboard.wasm.Modules.module;
import static dev.switchboard.wasm.Modules.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Modules that want too much: each call has one clean result in time, and the next call of another
/// module is well.
final class HostileModuleTest {
  @AfterEach
  void theNextCallIsUnharmed() {
    assertThat(call(module(Modules.echo()), "{\"a\":1}").text()).isEqualTo("{\"a\":1}");
  }

  private static WasmModule brief(byte[] bytes) {
    return WasmModule.builder(bytes).timeout(Duration.ofMillis(100)).build();
  }

  @Test
  void aLoopWithoutAnEndIsStopped() {
    ToolResult result = call(brief(running(Wat.forever())));

    assertThat(result.code()).isEqualTo(ResultCode.TIMEOUT);
    assertThat(result.error()).contains("ran longer than 100ms and was stopped");
  }

  @Test
  void aLoopInTheStartFunctionHarmsCallsOnly() {
    Wat wat = new Wat();
    int forever = wat.function(wat.type(List.of(), List.of()), Wat.forever());
    byte[] bytes = wat.start().entry(8, Wat.u(forever)).bytes();

    assertThat(call(brief(bytes)).code()).isEqualTo(ResultCode.TIMEOUT);
  }

  @Test
  void aLoopInInitializeIsStopped() {
    Wat wat = new Wat();
    int plain = wat.type(List.of(), List.of());
    byte[] bytes =
        wat.export("_initialize", wat.function(plain, Wat.forever()))
            .export("price", wat.function(plain))
            .bytes();
    WasmModule module =
        WasmModule.builder(bytes).function("price").timeout(Duration.ofMillis(100)).build();

    assertThat(call(module).code()).isEqualTo(ResultCode.TIMEOUT);
  }

  @Test
  void anInterpretedLoopIsStopped() {
    byte[] large = Wat.times(40_000, Wat.all(Wat.i32(1), Wat.drop()));

    assertThat(call(brief(running(Wat.forever(large)))).code()).isEqualTo(ResultCode.TIMEOUT);
  }

  @Test
  void recursionEndsWithAFailure() {
    Wat wat = new Wat();
    byte[] bytes =
        wat.export("_start", wat.function(wat.type(List.of(), List.of()), Wat.call(0))).bytes();

    ToolResult result = call(module(bytes));

    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.error()).contains("the module's calls were nested too deeply");
  }

  @Test
  void recursionThatAlwaysAsksTheHostEndsWithAFailure() {
    Wat wat = new Wat().memory(1);
    int write = wat.wasi("fd_write", 4);
    int random = wat.wasi("random_get", 2);
    int plain = wat.type(List.of(), List.of());
    byte[] host =
        Wat.all(Wat.write(write, 2, 64, 1), Wat.i32(64), Wat.i32(64), Wat.call(random), Wat.drop());
    byte[] bytes = wat.export("_start", wat.function(plain, host, Wat.call(2))).bytes();

    assertThat(call(module(bytes)).error()).contains("nested too deeply");
  }

  @Test
  void interpretedRecursionEndsWithAFailure() {
    byte[] large = Wat.times(40_000, Wat.all(Wat.i32(1), Wat.drop()));
    Wat wat = new Wat();
    int plain = wat.type(List.of(), List.of());
    byte[] bytes = wat.export("_start", wat.function(plain, Wat.call(0), large)).bytes();

    assertThat(call(module(bytes)).error()).contains("nested too deeply");
  }

  @Test
  void interpretedRecursionThatHoardsOperandsEndsWithAFailure() {
    byte[] large = Wat.times(40_000, Wat.all(Wat.i32(1), Wat.drop()));
    Wat wat = new Wat();
    int plain = wat.type(List.of(), List.of());
    byte[] hoard = Wat.times(10_000, Wat.i32(1));
    byte[] bytes =
        wat.export(
                "_start",
                wat.function(plain, hoard, Wat.call(0), Wat.times(10_000, Wat.drop()), large))
            .bytes();

    assertThat(call(module(bytes)).error()).contains("nested too deeply");
  }

  @Test
  void memoryEndsAtItsLimit() {
    // Grows until that fails, and traps then.
    byte[] code =
        Wat.forever(Wat.i32(1), Wat.b(0x40, 0), Wat.i32(-1), Wat.b(0x46, 0x04, 0x40, 0x00, 0x0b));
    WasmModule module =
        WasmModule.builder(running(code)).memory(1 << 20).timeout(Modules.PATIENCE).build();

    assertThat(call(module).error())
        .contains("the module was stopped: Trapped on unreachable instruction");
  }

  @Test
  void anAddressBeyondTheMemoryIsAFailure() {
    assertThat(call(module(running(Wat.load(65_536), Wat.drop()))).error())
        .contains("out of bounds memory access");
    assertThat(call(module(running(Wat.load(-4), Wat.drop()))).error())
        .contains("out of bounds memory access");
  }

  @Test
  void aDivisionByZeroIsAFailure() {
    assertThat(call(module(running(Wat.i32(1), Wat.i32(0), Wat.b(0x6d), Wat.drop()))).error())
        .contains("integer divide by zero");
  }

  @Test
  void outputBeyondItsLimitIsRefused() {
    Wat wat = new Wat().memory(1);
    int write = wat.wasi("fd_write", 4);
    byte[] bytes = wat.start(Wat.forever(Wat.write(write, 1, 0, 65_536))).bytes();

    ToolResult result = call(module(bytes));

    assertThat(result.code()).isEqualTo(ResultCode.RESPONSE_TOO_LARGE);
    assertThat(result.error()).contains("more than 1048576 bytes");
  }

  @Test
  void outputBeyondItsLimitWhileItIsInitializedIsRefusedToo() {
    Wat wat = new Wat().memory(1);
    int write = wat.wasi("fd_write", 4);
    int plain = wat.type(List.of(), List.of());
    byte[] bytes =
        wat.export("_initialize", wat.function(plain, Wat.forever(Wat.write(write, 1, 0, 9_000))))
            .export("price", wat.function(plain))
            .bytes();

    assertThat(
            call(WasmModule.builder(bytes).function("price").timeout(Modules.PATIENCE).build())
                .code())
        .isEqualTo(ResultCode.RESPONSE_TOO_LARGE);
  }

  @Test
  void standardErrorWithoutEndIsDropped() {
    Wat wat = new Wat().memory(1);
    int write = wat.wasi("fd_write", 4);
    byte[] bytes = wat.start(Wat.forever(Wat.write(write, 2, 0, 65_536))).bytes();

    assertThat(call(brief(bytes)).code()).isEqualTo(ResultCode.TIMEOUT);
  }

  @Test
  void aTableGrowsForItsOwnCallOnly() {
    // Exits with the size that the table had; grows it by 1,000.
    Wat wat = new Wat();
    int exit = wat.imported(Wat.WASI, "proc_exit", wat.type(List.of(Wat.I32), List.of()));
    byte[] bytes =
        wat.entry(4, Wat.b(Wat.FUNCREF, 0, 3))
            .start(Wat.b(0xd0, Wat.FUNCREF), Wat.i32(1_000), Wat.b(0xfc, 15, 0), Wat.call(exit))
            .bytes();
    WasmModule module = module(bytes);

    assertThat(call(module).error()).contains("exit code 3");
    assertThat(call(module).error()).contains("exit code 3");
  }

  @Test
  void aTableDoesNotGrowBeyondItsBound() {
    // Exits with what a growth by 200,000 gives, which is -1.
    Wat wat = new Wat();
    int exit = wat.imported(Wat.WASI, "proc_exit", wat.type(List.of(Wat.I32), List.of()));
    byte[] bytes =
        wat.entry(4, Wat.b(Wat.FUNCREF, 0, 3))
            .start(Wat.b(0xd0, Wat.FUNCREF), Wat.i32(200_000), Wat.b(0xfc, 15, 0), Wat.call(exit))
            .bytes();

    assertThat(call(module(bytes)).error()).contains("exit code -1");
  }

  @Test
  void sleepPassesAtOnce() {
    // A subscription to the monotonic clock, an hour; then waits again, for ever.
    Wat wat = new Wat().memory(1);
    int poll = wat.wasi("poll_oneoff", 4);
    byte[] sleep =
        Wat.all(
            Wat.i32(64 + 24),
            Wat.i64(Duration.ofHours(1).toNanos()),
            Wat.b(0x37, 3, 0),
            Wat.i32(64),
            Wat.i32(256),
            Wat.i32(1),
            Wat.i32(512),
            Wat.call(poll),
            Wat.drop());

    assertThat(call(module(wat.start(sleep).bytes())).success()).isTrue();
    Wat again = new Wat().memory(1);
    int unused = again.wasi("poll_oneoff", 4);
    assertThat(call(brief(again.start(Wat.forever(sleep)).bytes())).code())
        .isEqualTo(ResultCode.TIMEOUT);
  }
}
