package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.AgentFile.WasmConnector;
import dev.switchboard.config.AgentFile.WasmSettings;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.text.Durations;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Reads tools that are WebAssembly modules.
final class WasmReader {
  private final Path folder;
  private final ProgramReader variables;
  private @Nullable WasmConnector connector;

  /// @param folder of the agent's file
  WasmReader(Path folder, Headers variables) {
    this.folder = folder;
    this.variables = new ProgramReader(folder, variables);
  }

  /// The module; null if there is a fault, which is reported.
  @Nullable ToolHandler read(AgentToml.Wasm wasm, AgentToml.Tool tool) {
    Path file = wasm.file() == null ? null : path(wasm.file());
    Long memory = wasm.memory() == null ? null : wasm.memory().bytes();
    Map<String, String> environment =
        wasm.env() == null ? Map.of() : variables.environment(wasm.env());
    boolean faulty = wasm.memory() != null && memory == null || outlastsTool(wasm, tool);
    WasmConnector found = connector();
    if (found == null) {
      wasm.at().bad("needs the module dev.switchboard:switchboard-wasm, which is not here");
      return null;
    }
    if (file == null || faulty) {
      return null;
    }
    try {
      return found.module(
          new WasmSettings(
              file, memory, wasm.timeout(), environment, wasm.function(), tool.responseLimit()));
    } catch (IllegalArgumentException e) {
      String[] sentence = String.valueOf(e.getMessage()).split(" ", 2);
      wasm.at().member(sentence[0]).bad(sentence[1]);
      return null;
    }
  }

  /// Whether the module's timeout exceeds the tool's, which would end the call first; it is
  /// reported.
  private static boolean outlastsTool(AgentToml.Wasm wasm, AgentToml.Tool tool) {
    Duration attempt = requireNonNullElse(tool.timeout(), ToolOptions.DEFAULT_TIMEOUT);
    boolean outlasts = wasm.timeout() != null && wasm.timeout().compareTo(attempt) > 0;
    if (outlasts) {
      wasm.at()
          .member("timeout")
          .bad("is longer than the timeout of the tool, " + Durations.text(attempt));
    }
    return outlasts;
  }

  private @Nullable Path path(Value value) {
    String text = value.filledText();
    try {
      return text == null ? null : folder.resolve(text);
    } catch (InvalidPathException e) {
      value.bad("is not a path");
      return null;
    }
  }

  private @Nullable WasmConnector connector() {
    if (connector == null) {
      connector = ServiceLoader.load(WasmConnector.class).findFirst().orElse(null);
    }
    return connector;
  }
}
