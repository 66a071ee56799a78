module acme.simulators {
  requires dev.switchboard.phone.testing;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
