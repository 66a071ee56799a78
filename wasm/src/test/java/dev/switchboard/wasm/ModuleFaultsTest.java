package dev.switchboard.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What keeps a module from being built: a sentence each, and never anything else.
final class ModuleFaultsTest {
  private static final byte[] GOOD = Modules.echo();

  @TempDir private Path folder;

  private static String fault(byte[] bytes) {
    return fault(WasmModule.builder(bytes));
  }

  private static String fault(WasmBuilder builder) {
    Throwable thrown = catchThrowable(builder::build);
    assertThat(thrown).isInstanceOf(IllegalArgumentException.class);
    return thrown.getMessage();
  }

  private static byte[] module(int section, byte[]... entries) {
    Wat wat = new Wat();
    for (byte[] entry : entries) {
      wat.entry(section, entry);
    }
    return wat.start().bytes();
  }

  @Test
  void bytesThatAreNotAModule() {
    assertThat(fault(new byte[0])).isEqualTo("file is not a WebAssembly module");
    assertThat(fault("hello, world".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("file is not a WebAssembly module");
    assertThat(fault(Wat.b(0, 'a', 's', 'm', 0x0d, 0, 1, 0)))
        .isEqualTo("file is a component: build it as a module, for wasm32-wasi or wasm32-wasip1");
  }

  @Test
  void fileThatIsNotThereOrTooLarge() throws IOException {
    assertThat(fault(WasmModule.builder(folder.resolve("no.wasm"))))
        .isEqualTo("file does not exist");
    assertThat(fault(WasmModule.builder(folder))).startsWith("file cannot be read");
    Path large = folder.resolve("large.wasm");
    try (var channel =
        Files.newByteChannel(
            large,
            java.util.Set.of(
                java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.WRITE))) {
      channel.position(WasmModule.MOST_BYTES);
      int unused = channel.write(java.nio.ByteBuffer.allocate(1));
    }
    assertThat(fault(WasmModule.builder(large))).isEqualTo("file is larger than 20 MiB");
  }

  @Test
  void everyBeginningOfAModuleIsAFault() {
    for (int length = 0; length < GOOD.length; length++) {
      byte[] cut = Arrays.copyOf(GOOD, length);
      assertThat(catchThrowable(() -> WasmModule.builder(cut).build()))
          .as("%d bytes", length)
          .isInstanceOf(IllegalArgumentException.class)
          .message()
          .matches("(file|function) .*");
    }
  }

  @Test
  void changedBytesAreAFaultOrAnotherModule() {
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      byte[] changed = GOOD.clone();
      for (int j = 0; j <= i % 3; j++) {
        changed[8 + random.nextInt(changed.length - 8)] = (byte) random.nextInt(256);
      }
      Throwable thrown = catchThrowable(() -> WasmModule.builder(changed).build());
      if (thrown != null) {
        assertThat(thrown).isInstanceOf(IllegalArgumentException.class);
        assertThat(thrown.getMessage()).matches("(?s)(file|function|memory) .*");
      }
    }
  }

  @Test
  void importsThatNoToolIsGivenAreNamed() {
    Wat wat = new Wat();
    int plain = wat.type(List.of(), List.of());
    int unusedFirst = wat.imported("env", "fetch", plain);
    int unusedSecond = wat.imported(Wat.WASI, "fd_evil", plain);
    byte[] memory = Wat.all(Wat.name("env"), Wat.name("memory"), Wat.b(2, 0, 1));

    assertThat(fault(wat.entry(2, memory).start().bytes()))
        .isEqualTo(
            "file needs what no tool is given: 'env.fetch', 'wasi_snapshot_preview1.fd_evil',"
                + " 'env.memory'; only functions of wasi_snapshot_preview1 can be imported");
  }

  @Test
  void importsOfWasiWithAnotherSignature() {
    Wat wat = new Wat();
    int unused = wat.wasi("fd_write", 3);

    assertThat(fault(wat.start().bytes()))
        .isEqualTo(
            "file imports 'wasi_snapshot_preview1.fd_write' with other parameters or results than"
                + " it has");
  }

  @Test
  void functionsThatAreNotThereOrTakeParameters() {
    assertThat(fault(WasmModule.builder(GOOD).function("prise")))
        .isEqualTo("function names 'prise', which the module does not export; it exports '_start'");
    Wat wat = new Wat();
    byte[] taking =
        wat.export("price", wat.function(wat.type(List.of(Wat.I32), List.of()))).bytes();
    assertThat(fault(WasmModule.builder(taking).function("price")))
        .isEqualTo(
            "function names 'price', which must take no parameters and give nothing or an i32");
    assertThat(fault(new Wat().bytes()))
        .isEqualTo("function names '_start', which the module does not export");
  }

  @Test
  void settingsThatCannotBe() {
    assertThat(fault(WasmModule.builder(new Wat().memory(17).start().bytes()).memory(1 << 20)))
        .isEqualTo("memory is 1,024 KiB, but the module needs 1,088 KiB to begin with");
    assertThat(fault(WasmModule.builder(GOOD).memory(1))).isEqualTo("memory must be 64KiB to 1GiB");
    assertThat(fault(WasmModule.builder(GOOD).memory(2L << 30)))
        .isEqualTo("memory must be 64KiB to 1GiB");
    assertThat(fault(WasmModule.builder(GOOD).timeout(Duration.ZERO)))
        .isEqualTo("timeout must be more than 0");
    assertThat(fault(WasmModule.builder(GOOD).environment(Map.of("A=B", "c"))))
        .isEqualTo("env cannot hold 'A=B'");
    assertThatThrownBy(() -> WasmModule.builder(GOOD).outputLimit(0).build())
        .hasMessage("an output limit must be at least 1");
  }

  @Test
  void memoryThatThisProcessDoesNotHave() {
    Outline unbounded = Outline.of(new Wat().memory(1).start().bytes());
    Outline small = Outline.of(new Wat().entry(5, Wat.b(1, 1, 2)).start().bytes());

    assertThatThrownBy(() -> WasmBuilder.limits(unbounded, 64 << 20, 100 << 20))
        .hasMessage(
            "memory is 65,536 KiB, more than half of the 102,400 KiB that this process has");
    assertThat(WasmBuilder.limits(small, 64 << 20, 100 << 20).maximumPages()).isEqualTo(2);
    assertThat(WasmBuilder.limits(unbounded, 1 << 20, 100 << 20).maximumPages()).isEqualTo(16);
  }

  @Test
  void whatTheLimitsOfACallCannotHold() {
    assertThat(fault(module(1, Wat.b(0x5f, 0))))
        .isEqualTo("file uses garbage collection, which tools cannot use");
    assertThat(fault(module(13, Wat.b(0, 0))))
        .isEqualTo("file uses exceptions, which tools cannot use");
    assertThat(fault(module(5, Wat.b(3, 1, 1))))
        .isEqualTo("file uses threads, which tools cannot use");
    assertThat(fault(module(5, Wat.b(4, 1))))
        .isEqualTo("file uses memory of more than 4 GiB, which tools cannot use");
    assertThat(fault(module(5, Wat.b(0, 1), Wat.b(0, 1))))
        .isEqualTo("file has too many memories: 2, of at most 1");
    assertThat(fault(module(4, Wat.all(Wat.b(Wat.FUNCREF, 0), Wat.u(10_000_000)))))
        .isEqualTo("file has tables that are too large: 10,000,000 entries, of at most 100,000");
    assertThat(fault(Modules.running(Wat.i32(0), Wat.b(0xfd, 0x0f, 0x1a))))
        .isEqualTo("file uses vectors (SIMD), which tools cannot use");
    assertThat(fault(Modules.running(Wat.b(0x12, 0))))
        .isEqualTo("file uses tail calls, which tools cannot use");
    assertThat(fault(Modules.running(Wat.i32(0), Wat.b(0xfe, 0x10, 2, 0, 0x1a))))
        .isEqualTo("file uses threads, which tools cannot use");
    assertThat(fault(Modules.running(Wat.i32(0), Wat.b(0xfb, 0x1c, 0x1a))))
        .isEqualTo("file uses garbage collection, which tools cannot use");
  }

  @Test
  void whatWouldTakeTooLongToCompile() {
    Wat same = new Wat();
    for (int i = 0; i < 700; i++) {
      int type = same.type(List.of(), List.of());
      int unused = same.function(type);
    }
    assertThat(fault(same.start().bytes())).isEqualTo("file has too many types for its functions");
    assertThat(fault(Modules.running(Wat.times(20_001, Wat.b(2, 0x40)))))
        .isEqualTo("file has blocks that are nested too deeply");
    byte[] far = Wat.all(Wat.i32(0), Wat.b(0x0d), Wat.u(19_000));
    assertThat(fault(Modules.running(Wat.times(19_000, Wat.b(2, 0x40)), Wat.times(11_000, far))))
        .isEqualTo("file has branches that reach too far");
  }

  @Test
  void codeThatIsReadInTwoWays() {
    // The first body is empty, so that its end would be sought in the next one.
    byte[] bodies = Wat.all(Wat.u(2), Wat.b(1, 0), Wat.b(0x0b, 0), Wat.times(10, Wat.b(1)));
    byte[] bytes =
        new Wat()
            .section(1, Wat.b(1, 0x60, 0, 0))
            .section(3, Wat.b(2, 0, 0))
            .section(10, bodies)
            .bytes();

    assertThat(fault(bytes)).startsWith("file is broken at byte");
  }

  @Test
  void numbersThatNoBytesFollow() {
    byte[] huge = Wat.u(0xffff_ffffL);
    for (int section : List.of(1, 2, 3, 4, 5, 6, 7, 9, 10, 11)) {
      byte[] bytes = new Wat().section(section, huge).bytes();
      assertThat(fault(bytes)).startsWith("file is broken at byte");
    }
    assertThat(fault(new Wat().section(1, Wat.all(Wat.u(1), Wat.b(0x60), huge)).bytes()))
        .startsWith("file is broken");
    assertThat(fault(new Wat().section(2, Wat.all(Wat.u(1), huge)).bytes()))
        .startsWith("file is broken");
    assertThat(fault(new Wat().section(11, Wat.all(Wat.u(1), Wat.b(1), huge)).bytes()))
        .startsWith("file is broken");
    assertThat(fault(new Wat().section(9, Wat.all(Wat.u(1), Wat.b(1, 0), huge)).bytes()))
        .startsWith("file is broken");
  }

  @Test
  void localsThatTakeFewBytesAndMuchMemory() {
    byte[] many = Wat.all(Wat.u(1), Wat.u(50_000), Wat.b(Wat.I64));
    Wat wat = new Wat();
    int plain = wat.type(List.of(), List.of());
    for (int i = 0; i < 100; i++) {
      int unused = wat.withLocals(plain, many);
    }
    assertThat(fault(wat.start().bytes())).isEqualTo("file has too many locals: more than 2000000");
    assertThat(fault(withLocals(many))).contains("a function that is too large to be compiled");
  }

  private static byte[] withLocals(byte[] locals) {
    Wat wat = new Wat();
    return wat.export("_start", wat.withLocals(wat.type(List.of(), List.of()), locals)).bytes();
  }

  @Test
  void namesOfDebuggersAreNotRead() {
    byte[] section = Wat.all(Wat.name("name"), Wat.b(1), Wat.u(0x7fff_ffffL));
    byte[] bytes = new Wat().memory(1).section(0, section).start().bytes();

    assertThat(WasmModule.builder(bytes).build()).hasToString("module");
  }
}
