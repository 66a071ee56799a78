package dev.switchboard.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/// The log levels of commands. The JVM creates it at the first use of a logger, which most commands
/// never have.
public final class LogLevels {
  // The exceptions of a failing tool are in its result; only what is reported nowhere else is
  // logged. The command reports why its server does not start, and a refused request is not an
  // error. Why a database does not answer is logged by the store, without the traces of its driver.
  // An operator that acts for somebody is always named.
  private static final String LEVELS =
      """
      handlers = java.util.logging.ConsoleHandler
      java.util.logging.ConsoleHandler.level = ALL
      .level = WARNING
      dev.switchboard.server.access.ActFor.level = INFO
      io.javalin.level = OFF
      com.zaxxer.hikari.level = OFF
      org.postgresql.level = OFF
      org.eclipse.jetty.ee10.servlet.level = SEVERE
      org.eclipse.jetty.server.handler.level = SEVERE
      org.eclipse.jetty.util.HostPort.level = SEVERE
      org.eclipse.jetty.http.HttpParser.level = SEVERE
      """;

  /// What is new about the tools of MCP servers; held, since the JVM forgets levels of loggers that
  /// nothing holds.
  private static final Logger MCP_TOOLS = Logger.getLogger("dev.switchboard.mcp.tools");

  /// Shows everything that is logged about the tools of MCP servers, not only the first of it.
  static void showAllOfTools() {
    MCP_TOOLS.setLevel(Level.FINE);
  }

  /// Sets the levels of all loggers.
  public LogLevels() throws IOException {
    LogManager.getLogManager()
        .readConfiguration(new ByteArrayInputStream(LEVELS.getBytes(StandardCharsets.UTF_8)));
  }
}
