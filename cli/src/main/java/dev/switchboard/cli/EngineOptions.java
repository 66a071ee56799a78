package dev.switchboard.cli;

import dev.switchboard.agent.Agent;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of the engine that assigns turns to a worker.
final class EngineOptions {
  private static final int MOST_PORT = 65_535;
  private static final int PORT = 9080;

  @Option(
      names = "--engine",
      paramLabel = "ADDRESS",
      description =
          "Take turns from the Restate server at this address, such as"
              + " restate://engine:8080?admin=9070.")
  private @Nullable String engine;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Listen to the engine on this port, 0 for any free one; by default 9080.")
  private @Nullable Integer port;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "Listen to the engine on this address; by default 127.0.0.1, for this machine only."
              + " Every client that reaches it can run turns.")
  private @Nullable String host;

  @Option(
      names = "--address",
      paramLabel = "URL",
      description =
          "The URL at which the engine reaches all workers of this version, such as"
              + " http://workers:9080; by default this worker at 127.0.0.1.")
  private @Nullable URI address;

  @Option(
      names = "--again",
      description =
          "Make the engine discover a known address again, for example with other agents.")
  private boolean again;

  /// Whether an engine is named.
  boolean isNamed() {
    return engine != null;
  }

  /// @throws Failure when the options contradict each other
  void check() {
    if (!isNamed() && (port != null || host != null || address != null || again)) {
      throw Failure.usage("--port, --host, --address and --again are for --engine.", null);
    }
    if (port != null && (port < 0 || port > MOST_PORT)) {
      throw Failure.usage("A port is a number from 0 to " + MOST_PORT + ".", null);
    }
    if (address != null && !isUrl(address)) {
      throw Failure.usage(
          "'" + address + "' is not an address such as http://workers:9080; --address names one.",
          null);
    }
  }

  private static boolean isUrl(URI address) {
    return address.getHost() != null
        && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()));
  }

  /// Starts a worker of these agents and registers it with the engine.
  ///
  /// @throws Failure when that is not possible
  EngineWorker start(List<Agent> agents) {
    return EngineWorker.start(
        Objects.requireNonNull(engine),
        agents,
        host == null ? "127.0.0.1" : host,
        port == null ? PORT : port,
        address,
        again);
  }
}
