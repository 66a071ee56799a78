package dev.switchboard.server;

import dev.switchboard.execution.ConversationLease;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Does each second what nobody asks for: goes on with unfinished turns, lets go of conversations
/// that nobody uses, cuts clients that do not read.
final class Caretaker implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Caretaker.class.getName());

  private final Agents agents;
  private final Streams streams;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("caretaker").daemon().factory());

  Caretaker(Agents agents, Streams streams) {
    this.agents = agents;
    this.streams = streams;
  }

  void start() {
    var first = clock.submit(() -> look(ConversationLease.LENGTH));
    var then = clock.scheduleWithFixedDelay(() -> look(Duration.ZERO), 1, 1, TimeUnit.SECONDS);
  }

  private void look(Duration ahead) {
    streams.cutStuck();
    for (ServedAgent agent : agents.all()) {
      try {
        agent.takeUp(ahead);
        agent.letGo();
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "what is due cannot be read: " + e.getClass().getName());
        LOG.log(Level.DEBUG, "what is due cannot be read", e);
      }
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
