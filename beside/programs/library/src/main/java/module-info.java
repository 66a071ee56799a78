module acme.library {
  requires dev.switchboard;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
