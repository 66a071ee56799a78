package dev.switchboard.server;

import java.time.Duration;

/// The time limits of a server's clients and turns, and its maximum number of connections.
///
/// @param drain how long turns may continue when the server ends
/// @param write how long a client may block a write to its stream
/// @param silent the time limit of a connection without a request, of a request's body, and of all
///   blocked writes of an ordinary response, beside what its length allows
/// @param bytesPerSecond the rate at which written bytes of an ordinary response extend that limit
/// @param connections the maximum number of open connections
record ServerLimits(
    Duration drain, Duration write, Duration silent, int bytesPerSecond, int connections) {
  static final ServerLimits USUAL =
      new ServerLimits(
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          32 * 1024,
          Connections.MOST);
}
