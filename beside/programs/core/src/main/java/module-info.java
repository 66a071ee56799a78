module acme.core {
  requires dev.switchboard.core;

  opens acme to
      dev.switchboard.core,
      tools.jackson.databind;
}
