module acme.mcp {
  requires dev.switchboard.mcp;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
