package dev.switchboard.wasm;

import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.FileTable.TableKey;
import dev.switchboard.config.tool.ProgramReader;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.text.Durations;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The table `wasm` of a tool in agents' files, for [java.util.ServiceLoader]. All modules of a
/// file share the threads of their calls.
public final class WasmTable implements FileTable.ToolTable {
  /// The keys of the table.
  record WasmKeys(
      StatedValue at,
      @TableKey(required = true) @Nullable StatedValue file,
      @Nullable StatedValue memory,
      @Nullable Duration timeout,
      @Nullable StatedValue env,
      @Nullable String function) {}

  private final ModuleThreads guests = new ModuleThreads();

  /// The table.
  public WasmTable() {}

  @Override
  public String word() {
    return "wasm";
  }

  @Override
  public @Nullable ToolHandler read(
      StatedValue table, FileTable.ToolLimits tool, FileTable.Context context) {
    WasmKeys keys = table.bind(WasmKeys.class);
    if (keys == null) {
      return null;
    }
    Path file = keys.file == null ? null : path(keys.file, context);
    Long memory = keys.memory == null ? null : keys.memory.bytes();
    Map<String, String> environment =
        keys.env == null ? Map.of() : new ProgramReader(context).environment(keys.env);
    boolean faulty = keys.memory != null && memory == null || outlastsTool(keys, tool.timeout());
    if (file == null || faulty) {
      return null;
    }
    WasmBuilder module = WasmModule.builder(file).guests(guests).environment(environment);
    if (memory != null) {
      module.memory(memory);
    }
    if (keys.timeout != null) {
      module.timeout(keys.timeout);
    }
    if (keys.function != null) {
      module.function(keys.function);
    }
    if (tool.responseLimit() != null) {
      module.outputLimit(tool.responseLimit());
    }
    return built(module, table);
  }

  private static @Nullable Path path(StatedValue value, FileTable.Context context) {
    String text = value.filledText();
    try {
      return text == null ? null : context.folder().resolve(text);
    } catch (InvalidPathException e) {
      value.bad("is not a path");
      return null;
    }
  }

  /// Whether the module's timeout exceeds the tool's, which would end the call first; it is
  /// reported.
  private static boolean outlastsTool(WasmKeys keys, Duration tool) {
    boolean outlasts = keys.timeout != null && keys.timeout.compareTo(tool) > 0;
    if (outlasts) {
      keys.at
          .member("timeout")
          .bad("is longer than the timeout of the tool, " + Durations.text(tool));
    }
    return outlasts;
  }

  /// The module, compiled. What is wrong is a sentence that begins with the invalid key.
  private static @Nullable WasmModule built(WasmBuilder module, StatedValue table) {
    try {
      return module.build();
    } catch (IllegalArgumentException e) {
      String[] sentence = String.valueOf(e.getMessage()).split(" ", 2);
      table.member(sentence[0]).bad(sentence[1]);
      return null;
    }
  }
}
