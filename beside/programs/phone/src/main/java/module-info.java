module acme.phone {
  requires dev.switchboard.phone;

  opens acme to
      dev.switchboard.core,
      tools.jackson.databind;
}
