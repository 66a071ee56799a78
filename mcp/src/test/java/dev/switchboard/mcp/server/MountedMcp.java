package dev.switchboard.mcp.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Principal;
import dev.switchboard.time.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The routes of an agent's MCP server in a host, whose clients are those that each request names.
final class MountedMcp implements AutoCloseable {
  static final String META =
      "\"_meta\":{\"%s\":\"%s\",\"%s\":{}}"
          .formatted(Protocol.VERSION, Protocol.STATELESS, Protocol.CLIENT_CAPABILITIES);

  private final AgentServer server;
  private final Map<String, Mount.Handler> routes = new HashMap<>();

  MountedMcp(Agent agent, Time time) {
    server = new AgentServer(agent, time);
    for (Mount mount : server.routes("/mcp")) {
      if (mount instanceof Mount.Http http) {
        routes.put(http.method(), http.handler());
      }
    }
  }

  /// What was answered.
  record Answer(int status, Map<String, String> headers, String body) {}

  /// A response whose client reads one event of a stream, and is gone then.
  private static final class Response implements Mount.Response {
    private Answer answer = new Answer(0, Map.of(), "");

    @Override
    public void send(int status, Map<String, String> headers, String body) {
      answer = new Answer(status, headers, body);
    }

    @Override
    public Mount.EventStream events() {
      return new Mount.EventStream() {
        @Override
        public void send(String text) throws java.io.IOException {
          answer = answer.status == 0 ? new Answer(200, Map.of(), text) : answer;
          // At once, or the server would find it at its next sign of life.
          throw new java.io.IOException("gone");
        }

        @Override
        public void close() {}
      };
    }
  }

  Answer send(String method, @Nullable Principal principal, String body, String... headers)
      throws Exception {
    Map<String, List<String>> all = new HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i].toLowerCase(Locale.ROOT), List.of(headers[i + 1]));
    }
    Response response = new Response();
    routes
        .get(method)
        .handle(new Mount.Request(method, "/mcp", all, body, "127.0.0.1", principal), response);
    return response.answer;
  }

  /// Initializes a session.
  Answer initialize(@Nullable Principal principal) throws Exception {
    return send(
        "POST",
        principal,
        message(
            "initialize",
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{}}"));
  }

  /// A request of a session.
  Answer inSession(Principal principal, String session, String method, String params)
      throws Exception {
    return send("POST", principal, message(method, params), Protocol.SESSION_HEADER, session);
  }

  /// A request of the revision without sessions.
  ///
  /// @param params an object with members
  /// @param name that the header repeats
  Answer stateless(@Nullable Principal principal, String method, String params, String name)
      throws Exception {
    String full = "{" + META + (params.equals("{}") ? "}" : "," + params.substring(1));
    return send(
        "POST",
        principal,
        message(method, full),
        Protocol.VERSION_HEADER,
        Protocol.STATELESS,
        Protocol.METHOD_HEADER,
        method,
        Protocol.NAME_HEADER,
        name);
  }

  private static String message(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, params);
  }

  @Override
  public void close() {
    server.close();
  }
}
