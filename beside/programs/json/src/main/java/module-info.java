module acme.json {
  requires dev.switchboard.json;
}
