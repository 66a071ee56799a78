package dev.switchboard.cli;

import dev.switchboard.agent.Agent;
import dev.switchboard.restate.RestateEngine;
import dev.switchboard.restate.RestateWorker;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A worker to which an engine assigns turns. A separate class, so that other commands do not load
/// the engine's classes.
record EngineWorker(RestateEngine connected, RestateWorker worker) implements AutoCloseable {
  /// The engine does not answer.
  static final class AwayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private AwayException(String sentence, Exception cause) {
      super(sentence, cause);
    }
  }

  /// Starts a worker and registers it.
  ///
  /// @param address at which the engine reaches it; null for this machine
  /// @throws AwayException when the engine does not answer
  /// @throws Failure when the address is invalid, or the engine rejects it
  static EngineWorker start(
      String engine,
      List<Agent> agents,
      String host,
      int port,
      @Nullable URI address,
      boolean again) {
    RestateEngine connected = null;
    try {
      connected = RestateEngine.at(engine);
      Agent[] more = agents.subList(1, agents.size()).toArray(Agent[]::new);
      RestateWorker.Builder worker =
          RestateWorker.builder(agents.getFirst(), more).host(host).port(port).again(again);
      if (address != null) {
        worker.address(address);
      }
      EngineWorker started = new EngineWorker(connected, worker.start(connected));
      connected = null;
      return started;
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof IOException) {
        throw new AwayException("The worker cannot be set up: " + e.getMessage(), e);
      }
      throw Failure.usage("The worker cannot be set up: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("The worker cannot be set up: " + e.getMessage(), e);
    } finally {
      if (connected != null) {
        connected.close();
      }
    }
  }

  /// The engine's address for inputs.
  String engine() {
    return connected.toString();
  }

  /// The port on which it listens for the engine.
  int port() {
    return worker.port();
  }

  @Override
  public void close() {
    worker.close();
    connected.close();
  }
}
