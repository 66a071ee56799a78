module acme.tools {
  requires dev.switchboard.tools;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
