/// The library as a whole.
module dev.switchboard {
  requires transitive dev.switchboard.agent;
  requires transitive dev.switchboard.config;
  requires transitive dev.switchboard.json;
  requires transitive dev.switchboard.store;
  requires transitive dev.switchboard.tools;
}
