package dev.switchboard.bench;

import dev.switchboard.command.LocalCommand;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.wasm.WasmModule;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// A call of a WebAssembly module, beside the same function in Java and beside the least program of
/// the machine, all through the executor; and how long modules take to be compiled.
final class WasmCalls {
  private static final Path MODULES = Path.of("cli/src/main/resources/demo");
  private static final String ARGUMENTS = "{\"item\":\"tea\",\"quantity\":3}";
  private static final String SCHEMA =
      """
      {"type":"object","additionalProperties":false,"required":["item","quantity"],"properties":
      {"item":{"type":"string"},"quantity":{"type":"integer"}}}
      """;
  private static final Map<String, Integer> CENTS = Map.of("tea", 420, "coffee", 380, "cake", 550);

  private WasmCalls() {}

  static List<Row> run(boolean quick) throws Exception {
    Duel duel = new Duel("%,.1f", 5, quick ? 5 : 21);
    int calls = quick ? 1_000 : 5_000;
    try (ToolExecutor module = executor(tool().answeredBy(price()));
        ToolExecutor java = executor(tool().handler(WasmCalls::total));
        ToolExecutor program = executor(tool().answeredBy(LocalCommand.of("true").jsonInput()))) {
      return List.of(
          duel.row(
              "us a call of a WASM module (C) / the same function in Java",
              () -> microseconds(module, calls),
              () -> microseconds(java, calls)),
          duel.row(
              "us a call of a WASM module (C) / a program that does nothing",
              () -> microseconds(module, calls),
              () -> microseconds(program, calls / 50)),
          duel.row(
              "ms to build a WASM module of 12 KB (C) / one of 67 KB (Rust)",
              () -> milliseconds("price.wasm"),
              () -> milliseconds("words.wasm")));
    }
  }

  private static Tool.DynamicBuilder tool() {
    return Tool.dynamic("price", SCHEMA).mode(ToolMode.READ).repeatLimit(0);
  }

  private static WasmModule price() {
    return WasmModule.of(MODULES.resolve("price.wasm"));
  }

  private static ToolExecutor executor(Tool tool) {
    return ToolExecutor.of(tool);
  }

  private static Json total(Json arguments) {
    JsonNode tree = arguments.tree();
    int cents = CENTS.get(tree.path("item").stringValue()) * tree.path("quantity").intValue();
    return Json.text(
        String.format(Locale.ROOT, "{\"total\":\"%d.%02d\"}", cents / 100, cents % 100));
  }

  private static double microseconds(ToolExecutor executor, int calls) {
    long begun = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      if (!executor.execute(ToolCall.of("price", ARGUMENTS)).success()) {
        throw new IllegalStateException("a call failed");
      }
    }
    return (System.nanoTime() - begun) / 1e3 / calls;
  }

  private static double milliseconds(String module) {
    long begun = System.nanoTime();
    WasmModule unused = WasmModule.of(MODULES.resolve(module));
    return (System.nanoTime() - begun) / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }
}
