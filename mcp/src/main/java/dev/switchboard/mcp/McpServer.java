package dev.switchboard.mcp;

import dev.switchboard.agent.Agent;
import dev.switchboard.mcp.server.AgentServer;
import dev.switchboard.mount.Mount;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/// The tools of an agent for MCP clients, in both generations of the protocol: over streamable HTTP
/// as routes of a server, or over standard input and output.
///
/// Every call goes through the agent's executor: arguments are checked, rules and budgets apply,
/// and calls that need a person's consent wait for it. The agent's memory blocks are resources, its
/// prompt is a prompt. Thread-safe.
public final class McpServer implements AutoCloseable {
  private final AgentServer server;

  private McpServer(AgentServer server) {
    this.server = server;
  }

  /// A server of that agent's tools. Closing it does not close the agent.
  public static McpServer of(Agent agent) {
    return new McpServer(new AgentServer(agent, Time.SYSTEM));
  }

  /// Its routes at that path, such as `/mcp`, for an HTTP server.
  public List<Mount> routes(String path) {
    return server.routes(path);
  }

  /// Serves one client, which sends one message per line, until its input ends. Nothing else may be
  /// written to that output.
  ///
  /// @throws IOException when a line is too long, or the input breaks off
  public void serve(InputStream in, OutputStream out) throws IOException {
    server.serve(in, out);
  }

  @Override
  public void close() {
    server.close();
  }
}
