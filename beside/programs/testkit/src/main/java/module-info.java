module acme.testkit {
  requires dev.switchboard.testing;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
