module acme.simulators {
  requires dev.switchboard.phone.testing;

  opens acme to
      dev.switchboard.core,
      tools.jackson.databind;
}
