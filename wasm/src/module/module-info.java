/// Tools that are WebAssembly modules.
module dev.switchboard.wasm {
  requires transitive dev.switchboard.config;
  requires run.endive.compiler;
  requires run.endive.runtime;
  requires run.endive.wasm;

  exports dev.switchboard.wasm;

  provides dev.switchboard.config.AgentFile.WasmConnector with
      dev.switchboard.wasm.WasmConnection;
}
