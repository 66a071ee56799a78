module acme.wasm {
  requires dev.switchboard.wasm;

  opens acme to
      dev.switchboard.core,
      tools.jackson.databind;
}
