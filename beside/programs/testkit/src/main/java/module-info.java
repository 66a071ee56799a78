module acme.testkit {
  requires dev.switchboard.testing;

  opens acme to
      dev.switchboard.core,
      tools.jackson.databind;
}
