package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// A worker with an agent of its own, for the conversations of a server.
final class TestWorker implements AutoCloseable {
  static final Duration HOLD = Duration.ofSeconds(10);

  private final Agent agent;
  private final Agent.Worker worker;

  TestWorker(
      Storage storage, ScriptedModel model, UnaryOperator<AgentBuilder> more, Tool... tools) {
    agent = on(storage, more).apply(Agent.builder("Desk").model(model).tools(tools)).build();
    worker = agent.work(new Agent.Cluster(HOLD, 8));
  }

  /// That agent, whose conversations are in that storage.
  static UnaryOperator<AgentBuilder> on(Storage storage, UnaryOperator<AgentBuilder> more) {
    return agent -> more.apply(agent).store(storage.conversations("Desk")).time(storage.time());
  }

  int running() {
    return worker.running();
  }

  @Override
  public void close() {
    worker.close();
    agent.close();
  }
}
