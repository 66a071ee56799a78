module acme.mcp {
  requires dev.switchboard.mcp;

  opens acme to
      dev.switchboard.core,
      tools.jackson.databind;
}
