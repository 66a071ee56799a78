package dev.switchboard.server;

import dev.switchboard.agent.Prices;
import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelReply;
import dev.switchboard.rule.StopReason;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.JsonNode;

/// The metrics of a running server, from the logged events of its conversations: calls, turns,
/// streams, waiting requests, circuit breakers; and what its models use. In the text format of
/// Prometheus.
///
/// Thread-safe.
final class Metrics implements EventWatcher {
  private static final String CALLS = "switchboard.calls";
  private static final String UNKNOWN = "unknown";
  private static final int MOST_OPEN = 10_000;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  // The start of running calls, by conversation and id.
  private final Map<String, Instant> begun = new ConcurrentHashMap<>();
  private final Set<String> known = ConcurrentHashMap.newKeySet(); // tools with a breaker's gauge

  void install(RoutesConfig routes) {
    routes.get("/metrics", this::show);
  }

  private void show(Context ctx) {
    ctx.contentType("text/plain; version=0.0.4; charset=utf-8").result(registry.scrape());
  }

  /// Adds a gauge of the server, computed when it is requested.
  <T> void gauge(String name, String description, T source, ToDoubleFunction<T> figure) {
    Gauge.builder(name, source, figure).description(description).register(registry);
  }

  /// Adds the gauges of an agent, computed when they are requested.
  void agent(ServedAgent agent) {
    Gauge.builder(
            "switchboard.conversations.open", agent, served -> served.conversations().all().size())
        .description("Conversations that are open, in memory.")
        .tags("agent", agent.name())
        .register(registry);
    if (agent.queue() != null) {
      Gauge.builder("switchboard.conversations.due", agent, ServedAgent::due)
          .description("Conversations that wait for a worker.")
          .tags("agent", agent.name())
          .register(registry);
    }
    agent.agent().onModelUse(use -> used(agent.name(), use));
    for (Tool tool : agent.tools().list()) {
      breaker(agent, tool.name(), registry);
    }
  }

  /// Counts what a request to a model of that agent has used.
  private void used(String agent, Prices.Use use) {
    ModelReply.Usage usage = use.usage();
    tokens(agent, use.model(), "input", usage.input());
    tokens(agent, use.model(), "output", usage.output());
    tokens(agent, use.model(), "cache_read", usage.cacheRead());
    tokens(agent, use.model(), "cache_written", usage.cacheWritten());
    tokens(agent, use.model(), "reasoning", usage.reasoning());
    if (use.cost() != null) {
      Counter.builder("switchboard.cost")
          .description("What requests to models with a price have cost.")
          .tags("agent", agent, "model", use.model())
          .register(registry)
          .increment(use.cost().doubleValue());
    }
  }

  private void tokens(String agent, String model, String type, long number) {
    if (number > 0) {
      Counter.builder("switchboard.tokens")
          .description("Tokens that models have read and written, by type.")
          .tags("agent", agent, "model", model, "type", type)
          .register(registry)
          .increment((double) number);
    }
  }

  /// 0 closed, 1 half-open, 2 open.
  private void breaker(ServedAgent agent, String tool, MeterRegistry meters) {
    if (known.add(agent.name() + "/" + tool)) {
      Gauge.builder("switchboard.breaker.state", agent, served -> position(served, tool))
          .description("A tool's circuit breaker: 0 closed, 1 half-open, 2 open.")
          .tags("agent", agent.name(), "tool", tool)
          .register(meters);
    }
  }

  private static double position(ServedAgent agent, String tool) {
    BreakerState.Position position = agent.breaker(tool).position();
    return switch (position) {
      case CLOSED -> 0;
      case HALF_OPEN -> 1;
      case OPEN -> 2;
    };
  }

  @Override
  public void handle(ServedAgent agent, String conversation, Event.Logged event) {
    JsonNode tree = event.event().tree();
    JsonNode payload = tree.path("payload");
    switch (tree.path("type").asString("")) {
      case "tool_call" -> began(conversation + "/" + payload.path("id").asString(""), event.at());
      case "tool_result" -> settled(agent, conversation, tree, event.at());
      case "agent" -> {
        switch (tree.path("event").asString("")) {
          case ConsentAnswer.EVENT -> {
            // The time that a person took does not count.
            String call = conversation + "/" + payload.path("id").asString("");
            begun.computeIfPresent(call, (id, from) -> event.at());
          }
          case "compacted" -> compacted(agent);
          case "call_given_up" -> gaveUp(agent, payload.path("tool").asString(UNKNOWN));
          default -> {}
        }
      }
      case "done" -> ended(agent, payload.path("stopReason").asString(UNKNOWN));
      default -> {}
    }
  }

  /// A turn that waits for a person has not ended.
  private void ended(ServedAgent agent, String reason) {
    if (!reason.equals(StopReason.CONSENT_PENDING.word())) {
      Counter.builder("switchboard.turns")
          .description("Turns that have ended.")
          .tags("agent", agent.name(), "stop_reason", reason)
          .register(registry)
          .increment();
    }
  }

  private void compacted(ServedAgent agent) {
    Counter.builder("switchboard.compactions")
        .description("Requests to a model from which older messages were left out.")
        .tags("agent", agent.name())
        .register(registry)
        .increment();
  }

  private void gaveUp(ServedAgent agent, String tool) {
    Counter.builder("switchboard.calls.given.up")
        .description("Calls that are not made again, since their process has died each time.")
        .tags("agent", agent.name(), "tool", agent.tools().find(tool) == null ? UNKNOWN : tool)
        .register(registry)
        .increment();
  }

  private void began(String call, Instant at) {
    if (begun.size() < MOST_OPEN) {
      begun.put(call, at);
    }
  }

  private void settled(ServedAgent agent, String conversation, JsonNode event, Instant at) {
    JsonNode result = event.path("payload");
    String tool = event.path("tool").asString(UNKNOWN);
    String code = result.path("success").asBoolean(false) ? "ok" : code(result);
    Instant from = begun.remove(conversation + "/" + result.path("callId").asString(""));
    Duration took = from == null ? Duration.ZERO : Duration.between(from, at);
    boolean isTool = agent.tools().find(tool) != null;
    Timer.builder(CALLS)
        .description(
            "Calls that were settled, and the time from their arrival or a person's answer.")
        .tags("agent", agent.name(), "tool", isTool ? tool : UNKNOWN, "code", code)
        .register(registry)
        .record(took.isNegative() ? Duration.ZERO : took);
  }

  /// A tool's own failure has no code.
  private static String code(JsonNode result) {
    String code = result.path("code").asString("");
    return code.isEmpty() ? "failed_by_tool" : code;
  }
}
