package dev.switchboard.mcp.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.mount.Mount;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/// The server of one agent's tools: the parts that its transports share.
public final class AgentServer implements AutoCloseable {
  private final Methods methods;
  private final Sessions sessions;
  private final Changes changes;

  /// A server of that agent's tools.
  public AgentServer(Agent agent, Time time) {
    Offered offered = new Offered(agent);
    methods = new Methods(agent, offered);
    sessions = new Sessions(agent, time);
    changes = new Changes(offered);
  }

  /// Its routes at that path.
  public List<Mount> routes(String path) {
    return new StreamableHttp(methods, sessions, changes).routes(path);
  }

  /// Serves one client until its input ends.
  public void serve(InputStream in, OutputStream out) throws IOException {
    new StdioServer(methods, sessions, changes, out).serve(in);
  }

  @Override
  public void close() {
    changes.close();
    sessions.close();
  }
}
