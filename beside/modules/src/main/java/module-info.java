module acme.shop {
  requires dev.switchboard.core;
  requires tools.jackson.databind;

  opens acme to
      dev.switchboard.core,
      tools.jackson.databind;
}
