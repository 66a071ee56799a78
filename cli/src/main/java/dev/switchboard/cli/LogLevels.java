package dev.switchboard.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/// What the commands log. The JVM makes one when something logs for the first time, which most
/// commands never do.
public final class LogLevels {
  // What a failing tool throws is in its result; only what is reported nowhere else is logged. A
  // command itself says why its server does not start, and a refused request is not a fault.
  private static final String LEVELS =
      """
      handlers = java.util.logging.ConsoleHandler
      .level = WARNING
      io.javalin.level = OFF
      org.eclipse.jetty.util.HostPort.level = SEVERE
      org.eclipse.jetty.http.HttpParser.level = SEVERE
      """;

  /// Sets the levels of all loggers.
  public LogLevels() throws IOException {
    LogManager.getLogManager()
        .readConfiguration(new ByteArrayInputStream(LEVELS.getBytes(StandardCharsets.UTF_8)));
  }
}
