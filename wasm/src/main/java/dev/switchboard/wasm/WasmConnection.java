package dev.switchboard.wasm;

import dev.switchboard.config.AgentFile.WasmConnector;
import dev.switchboard.config.AgentFile.WasmSettings;
import dev.switchboard.handler.ToolHandler;

/// Creates the modules that agents' files name; found by the service loader. All modules of a file
/// share the threads of their calls.
public final class WasmConnection implements WasmConnector {
  private final ModuleThreads guests = new ModuleThreads();

  /// For the service loader.
  public WasmConnection() {}

  @Override
  public ToolHandler module(WasmSettings settings) {
    WasmBuilder module = WasmModule.builder(settings.file()).guests(guests);
    if (settings.memory() != null) {
      module.memory(settings.memory());
    }
    if (settings.timeout() != null) {
      module.timeout(settings.timeout());
    }
    if (settings.function() != null) {
      module.function(settings.function());
    }
    if (settings.outputLimit() != null) {
      module.outputLimit(settings.outputLimit());
    }
    return module.environment(settings.environment()).build();
  }
}
