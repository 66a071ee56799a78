module acme.shop {
  requires dev.switchboard.core;

  opens acme to
      dev.switchboard.core,
      tools.jackson.databind;
}
