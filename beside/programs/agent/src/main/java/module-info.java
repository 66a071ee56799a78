module acme.agent {
  requires dev.switchboard.agent;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
