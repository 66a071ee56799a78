module acme.phone {
  requires dev.switchboard.phone;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
