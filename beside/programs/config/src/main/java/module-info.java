module acme.config {
  requires dev.switchboard.config;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
