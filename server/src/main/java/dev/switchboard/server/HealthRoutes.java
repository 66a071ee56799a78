package dev.switchboard.server;

import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Whether the server is alive, and whether it accepts work: for operators.
final class HealthRoutes {
  private static final System.Logger LOG = System.getLogger(HealthRoutes.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration LOOKS = Duration.ofSeconds(2);

  private final RateLimitedLog warnings;
  private final Agents agents;
  private final Time time;
  private final ReentrantLock looking = new ReentrantLock();
  private volatile boolean draining;
  private volatile @Nullable Look latest;

  /// The result of a check of the stores at that time, in nanoseconds.
  ///
  /// @param due the number of conversations that wait for a worker
  /// @param dueSince since when every check has found some
  private record Look(boolean good, long at, int due, long dueSince) {}

  HealthRoutes(Agents agents, Time time) {
    this.agents = agents;
    this.time = time;
    warnings = new RateLimitedLog(time::nanos);
  }

  void install(RoutesConfig routes) {
    routes.get("/livez", ctx -> answer(ctx, 200, "ok"));
    routes.get("/readyz", this::ready);
  }

  /// Reports from now on that the server accepts no more work.
  void drain() {
    draining = true;
  }

  boolean isDraining() {
    return draining;
  }

  private void ready(Context ctx) {
    if (draining) {
      answer(ctx, 503, "draining");
      return;
    }
    if (canStore()) {
      answer(ctx, 200, waits());
    } else {
      answer(ctx, 503, "the store cannot be written");
    }
  }

  /// The text about conversations that wait for a worker; the server accepts work nevertheless.
  private String waits() {
    Look look = latest;
    return look == null || look.due <= 0 || time.nanos() - look.dueSince < IDLE.toNanos()
        ? "ok"
        : "ok, but %d conversations wait for a worker".formatted(look.due);
  }

  /// One check at a time, shared by all requests, so that a store that hangs does not block others.
  private boolean canStore() {
    Look previous = latest;
    boolean fresh = previous != null && time.nanos() - previous.at < LOOKS.toNanos();
    if (fresh || !looking.tryLock()) {
      return previous == null || previous.good;
    }
    try {
      int due = due();
      long now = time.nanos();
      Look look =
          new Look(
              due >= 0, now, due, previous == null || previous.due <= 0 ? now : previous.dueSince);
      latest = look;
      return look.good;
    } finally {
      looking.unlock();
    }
  }

  /// The number of conversations that wait for a worker, -1 if a store cannot be written.
  private int due() {
    try {
      agents.all().forEach(agent -> agent.checkStore(PATIENCE));
      return agents.all().stream().mapToInt(ServedAgent::due).sum();
    } catch (RuntimeException e) {
      warnings.warn(LOG, "the store cannot be written", e);
      return -1;
    }
  }

  private static void answer(Context ctx, int status, String text) {
    ctx.status(status).contentType("text/plain; charset=utf-8").result(text + "\n");
  }
}
