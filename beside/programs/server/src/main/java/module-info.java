module acme.server {
  requires dev.switchboard.server;
  requires java.net.http;

  opens acme to
      dev.switchboard.json,
      dev.switchboard.tools,
      tools.jackson.databind;
}
