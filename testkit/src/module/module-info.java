/// What tests of tools and agents need.
module dev.switchboard.testing {
  requires transitive dev.switchboard.tools;

  exports dev.switchboard.testing;
}
