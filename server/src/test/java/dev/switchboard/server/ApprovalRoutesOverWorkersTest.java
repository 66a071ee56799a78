package dev.switchboard.server;

import dev.switchboard.handler.Tool;

/// The same where workers run the turns.
class ApprovalRoutesOverWorkersTest extends ApprovalRoutesTest {
  @Override
  TestServer start(Tool... tools) {
    return TestServer.overWorkers(agent -> agent, tools);
  }
}
