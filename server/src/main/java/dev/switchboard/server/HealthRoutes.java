package dev.switchboard.server;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Whether the server lives, and whether it takes work: for whoever runs it.
final class HealthRoutes {
  private static final String NOBODY = "readyz";

  private final Agents agents;
  private volatile boolean draining;

  HealthRoutes(Agents agents) {
    this.agents = agents;
  }

  void install(RoutesConfig routes) {
    routes.get("/livez", ctx -> answer(ctx, 200, "ok"));
    routes.get("/readyz", this::ready);
  }

  /// Says that the server takes no more work.
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
    try {
      agents.all().forEach(agent -> agent.find(NOBODY));
      answer(ctx, 200, "ok");
    } catch (RuntimeException e) {
      answer(ctx, 503, "the store cannot be read");
    }
  }

  private static void answer(Context ctx, int status, String text) {
    ctx.status(status).contentType("text/plain; charset=utf-8").result(text + "\n");
  }
}
