package dev.switchboard.server;

import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// Runs every second what no client requests: continues unfinished turns, closes unused
/// conversations, disconnects clients that do not read.
final class BackgroundTasks implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(BackgroundTasks.class.getName());
  private static final long ENDING_SECONDS = 5;

  private final RateLimitedLog warnings;
  private final Agents agents;
  private final Streams streams;
  private final Connections connections;
  private final ResponseDeadline responses;
  private final ScheduledExecutorService turns = clock("caretaker");
  // Separate, since a store may delay the other.
  private final ScheduledExecutorService clients = clock("clients");

  BackgroundTasks(
      Agents agents,
      Streams streams,
      Connections connections,
      ResponseDeadline responses,
      Time time) {
    warnings = new RateLimitedLog(time::nanos);
    this.agents = agents;
    this.streams = streams;
    this.connections = connections;
    this.responses = responses;
  }

  private static ScheduledExecutorService clock(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().name(name).daemon().factory());
  }

  void start() {
    turns.execute(() -> look(LeaseTerms.LENGTH));
    ScheduledFuture<?> unusedLooks =
        turns.scheduleWithFixedDelay(() -> look(Duration.ZERO), 1, 1, TimeUnit.SECONDS);
    ScheduledFuture<?> unusedCuts =
        clients.scheduleWithFixedDelay(this::cut, 1, 1, TimeUnit.SECONDS);
  }

  private void look(Duration ahead) {
    for (ServedAgent agent : agents.all()) {
      guarded("due work cannot be continued", () -> agent.resumeDue(ahead));
      guarded("other servers' events cannot be read", agent::look);
      guarded("unused conversations cannot be released", agent.conversations()::closeUnused);
    }
  }

  private void cut() {
    guarded("clients that do not read cannot be disconnected", streams::cutStuck);
    guarded("idle streams cannot be kept alive", streams::keepAlive);
    guarded("clients that read slowly cannot be disconnected", responses::cutSlow);
    guarded("silent clients cannot be disconnected", connections::cutSilent);
  }

  /// Logs an exception, which would end the schedule.
  private void guarded(String what, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      warnings.warn(LOG, what, e);
    }
  }

  /// Continues no more turns.
  void rest() {
    turns.shutdown();
    try {
      boolean unused = turns.awaitTermination(ENDING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    turns.shutdownNow();
    clients.shutdownNow();
  }
}
