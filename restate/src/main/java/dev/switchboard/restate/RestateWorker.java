package dev.switchboard.restate;

import dev.restate.sdk.endpoint.Endpoint;
import dev.restate.sdk.http.vertx.HttpEndpointRequestHandler;
import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationStore;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// A worker that runs the turns that a [RestateEngine] assigns to it. Any number of workers serve
/// the same agents, on any number of machines, behind one address.
///
/// If processes share an agent's store, the worker also forwards inputs of [Agent#queue()], such as
/// those of a server, and answers to the engine.
public final class RestateWorker implements AutoCloseable {
  private final Vertx vertx;
  private final HttpServer server;
  private final RunningTurns turns;
  private final Duration patience;
  private final List<Relay> relays;

  private RestateWorker(
      Vertx vertx, HttpServer server, RunningTurns turns, Duration patience, List<Relay> relays) {
    this.vertx = vertx;
    this.server = server;
    this.turns = turns;
    this.patience = patience;
    this.relays = List.copyOf(relays);
  }

  /// A builder for a worker of these agents.
  ///
  /// @throws IllegalArgumentException when an agent has no store, or waits for people within turns
  public static Builder builder(Agent agent, Agent... more) {
    Builder builder = new Builder();
    builder.add(agent);
    for (Agent another : more) {
      builder.add(another);
    }
    return builder;
  }

  /// Builds a worker.
  public static final class Builder {
    private final Map<Agent, ConversationStore> stores = new LinkedHashMap<>();
    private int port = 9080;
    private String host = "127.0.0.1";
    private @Nullable URI address;
    private Duration longest = Duration.ofMinutes(15);
    private Duration patience = Duration.ofSeconds(30);
    private boolean again;

    private Builder() {}

    private void add(Agent agent) {
      ConversationStore store = agent.store();
      if (store == null) {
        throw new IllegalArgumentException(
            "agent '%s' has no store: its conversations are read there".formatted(agent.name()));
      }
      if (agent.asksInline()) {
        throw new IllegalArgumentException(
            "agent '%s' has a blocking approver: a worker cannot wait within a turn"
                .formatted(agent.name()));
      }
      stores.put(agent, store);
    }

    /// Sets the port to listen on, 0 for a free one; 9080 by default.
    public Builder port(int number) {
      port = number;
      return this;
    }

    /// Sets the address of this machine to listen on; the loopback address by default.
    public Builder host(String name) {
      host = name;
      return this;
    }

    /// Sets the URL at which the engine reaches this worker, or all workers of this version of the
    /// code; this machine by default.
    public Builder address(URI url) {
      address = url;
      return this;
    }

    /// Sets the time limit of an effect, such as a tool call: 15 minutes by default. The engine
    /// aborts and retries an attempt that is silent for so long.
    ///
    /// @throws IllegalArgumentException when the duration is not positive
    public Builder longest(Duration length) {
      if (!length.isPositive()) {
        throw new IllegalArgumentException("the duration must be positive");
      }
      longest = length;
      return this;
    }

    /// Sets how long [#close()] waits until each turn is between two effects; 30 seconds by
    /// default.
    public Builder patience(Duration length) {
      patience = length;
      return this;
    }

    /// Makes the engine discover a known address again: for development, when the code has changed.
    public Builder again(boolean asked) {
      again = asked;
      return this;
    }

    /// Starts the worker and registers it with the engine, which assigns turns to it from now on.
    ///
    /// @throws IllegalStateException when the port is in use, or the engine does not answer, has
    ///   another version, or rejects the worker
    public RestateWorker start(RestateEngine engine) {
      engine.check();
      RunningTurns turns = new RunningTurns();
      Endpoint.Builder endpoint = Endpoint.builder();
      stores.forEach((agent, storage) ->
          endpoint.bind(new ConversationObject(agent, storage, longest, turns).definition()));
      Vertx vertx = Vertx.vertx();
      RestateWorker worker = null;
      try {
        HttpServer server = listening(vertx, endpoint.build());
        URI at = address == null ? URI.create("http://127.0.0.1:" + server.actualPort()) : address;
        engine.register(at, again);
        worker = new RestateWorker(vertx, server, turns, patience, relays(engine, turns));
        return worker;
      } finally {
        if (worker == null) {
          awaited(vertx.close().toCompletionStage());
        }
      }
    }

    private List<Relay> relays(RestateEngine engine, RunningTurns turns) {
      List<Relay> relays = new ArrayList<>();
      stores.forEach((agent, storage) -> {
        ConversationQueue queue = storage.queue();
        if (queue != null) {
          relays.add(
              new Relay(
                  storage, queue, new RestateQueue(engine, agent.name()), turns, Relay.AGAIN));
        }
      });
      return relays;
    }

    private HttpServer listening(Vertx vertx, Endpoint endpoint) {
      HttpServerOptions options =
          new HttpServerOptions()
              .setTcpNoDelay(true)
              .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(Integer.MAX_VALUE));
      HttpServer server =
          vertx
              .createHttpServer(options)
              .requestHandler(HttpEndpointRequestHandler.fromEndpoint(endpoint));
      try {
        return awaited(server.listen(port, host).toCompletionStage());
      } catch (CompletionException e) {
        Throwable why = e.getCause() == null ? e : e.getCause();
        throw new IllegalStateException(
            "The worker cannot listen on port %d of %s: %s."
                .formatted(port, host, String.valueOf(why.getMessage())),
            e);
      }
    }
  }

  /// The port that it listens on.
  public int port() {
    return server.actualPort();
  }

  private static <T> T awaited(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  /// Hands its turns over between two effects, and accepts no more. A turn that does not get there
  /// in time is aborted, and repeated elsewhere.
  @Override
  public void close() {
    relays.forEach(Relay::close);
    turns.handOver(patience);
    stop();
  }

  /// Stops at once, like a killed process.
  void stop() {
    relays.forEach(Relay::close);
    turns.abandon();
    awaited(vertx.close().toCompletionStage());
  }
}
