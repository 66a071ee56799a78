module acme.wasm {
  requires dev.switchboard.wasm;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
