package dev.switchboard.cli.demo;

import dev.switchboard.Switchboard;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Calls of WebAssembly modules: one in C, one in Rust, and one that never ends and is stopped.
public final class WasmDemo {
  private static final String AGENT = "wasm.toml";
  private static final List<String> FILES =
      List.of(AGENT, "price.wasm", "words.wasm", "forever.wasm");
  private static final List<ToolCall> CALLS =
      List.of(
          ToolCall.of("price", "{\"item\":\"tea\",\"quantity\":3}"),
          ToolCall.of("count_words", "{\"text\":\"to be or not to be\"}"),
          ToolCall.of("forever", "{}"),
          ToolCall.of("price", "{\"item\":\"gold\",\"quantity\":1}"),
          ToolCall.of("price", "{\"item\":\"cake\",\"quantity\":2}"));

  private final Consumer<String> out;

  /// @param out receives a line for each call, and one for its result
  public WasmDemo(Consumer<String> out) {
    this.out = out;
  }

  /// Makes the calls, one after the other.
  public void play() throws IOException {
    Path folder = Files.createTempDirectory("switchboard-wasm");
    try {
      for (String name : FILES) {
        copy(name, folder.resolve(name));
      }
      play(folder.resolve(AGENT));
    } finally {
      for (String name : FILES) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.delete(folder);
    }
  }

  private static void copy(String name, Path to) throws IOException {
    try (InputStream in = WasmDemo.class.getResourceAsStream("/demo/" + name)) {
      long unused = Files.copy(Objects.requireNonNull(in, name), to);
    }
  }

  private void play(Path agent) {
    long begun = System.nanoTime();
    try (ToolExecutor executor = Switchboard.load(agent)) {
      out.accept("Three modules, checked and compiled in " + since(begun) + ".");
      for (ToolCall call : CALLS) {
        out.accept("");
        out.accept(call.name() + " " + call.arguments().text());
        long started = System.nanoTime();
        ToolResult result = executor.execute(call);
        out.accept("  " + (result.success() ? result.text() : result.error()));
        out.accept("  " + since(started));
      }
    }
    out.accept("");
  }

  private static String since(long nanos) {
    double millis = (System.nanoTime() - nanos) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    return String.format(Locale.ROOT, "%.1f ms", millis);
  }
}
