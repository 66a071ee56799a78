package dev.switchboard.wasm;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Repository;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Modules for tests, and calls of them.
final class Modules {
  /// Longer than any call takes that is not stopped, shorter than the tool's own timeout.
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private Modules() {}

  /// A module whose `_start` writes that text, after that code.
  static byte[] writing(String text, byte[]... before) {
    Wat wat = new Wat();
    int write = wat.wasi("fd_write", 4);
    return wat.memory(1)
        .data(64, text)
        .start(Wat.all(before), Wat.write(write, 1, 64, text.length()))
        .bytes();
  }

  /// A module whose `_start` is that code, with a page of memory and no imports.
  static byte[] running(byte[]... code) {
    return new Wat().memory(1).start(code).bytes();
  }

  /// A module whose `_start` ends with that code.
  static byte[] exiting(int code) {
    Wat wat = new Wat();
    int exit = wat.imported(Wat.WASI, "proc_exit", wat.type(List.of(Wat.I32), List.of()));
    return wat.memory(1).start(Wat.i32(code), Wat.call(exit)).bytes();
  }

  /// A module that writes what it reads.
  static byte[] echo() {
    Wat wat = new Wat();
    int read = wat.wasi("fd_read", 4);
    int write = wat.wasi("fd_write", 4);
    return wat.memory(2)
        .start(
            Wat.store(0, 64),
            Wat.store(4, 65_536),
            Wat.i32(0),
            Wat.i32(0),
            Wat.i32(1),
            Wat.i32(8),
            Wat.call(read),
            Wat.drop(),
            // The length that is to be written is the one that was read.
            Wat.i32(4),
            Wat.load(8),
            Wat.b(0x36, 2, 0),
            Wat.i32(1),
            Wat.i32(0),
            Wat.i32(1),
            Wat.i32(8),
            Wat.call(write),
            Wat.drop())
        .bytes();
  }

  /// A module with time enough on a machine that is busy.
  static WasmModule module(byte[] bytes) {
    return WasmModule.builder(bytes).timeout(PATIENCE).build();
  }

  static ToolResult call(WasmModule module) {
    return call(module, "{}");
  }

  static ToolResult call(WasmModule module, String arguments) {
    try (ToolExecutor executor = ToolExecutor.of(tool(module))) {
      return executor.execute(ToolCall.of("run", arguments));
    }
  }

  static Tool tool(WasmModule module) {
    return Tool.dynamic("run", "{\"type\":\"object\"}").answeredBy(module);
  }

  /// A file of this module's tests.
  static Path resource(String name) {
    return Repository.file("wasm/src/test/resources").resolve(name);
  }
}
