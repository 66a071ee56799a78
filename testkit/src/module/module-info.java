/// What tests of tools and agents need.
module dev.switchboard.testing {
  requires transitive dev.switchboard.core;

  exports dev.switchboard.testing;
}
