/// Tools that are WebAssembly modules.
module dev.switchboard.wasm {
  requires transitive dev.switchboard.tools;
  requires run.endive.compiler;
  requires run.endive.runtime;
  requires run.endive.wasm;

  // Only to read agents' files.
  requires static dev.switchboard.config;

  exports dev.switchboard.wasm;

  // The table `wasm` of tools in agents' files.
  provides dev.switchboard.config.FileTable.ToolTable with
      dev.switchboard.wasm.WasmTable;

  // Its record is bound by its components.
  opens dev.switchboard.wasm to
      dev.switchboard.config;
}
