package dev.switchboard.mcp;

import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.mcp.client.McpSettings;
import dev.switchboard.mcp.client.McpSettings.McpWay;
import dev.switchboard.mcp.client.McpSettings.SamplingSettings;
import dev.switchboard.mcp.client.RemoteServers;
import dev.switchboard.mcp.oauth.Credentials;
import dev.switchboard.time.Time;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tools of an MCP server, for an agent:
///
/// ```java
/// Agent.builder("helper").tools(McpTools.program("files", "npx", "-y", "@scope/files-server"))
/// ```
///
/// The connection opens when the agent is built, and closes with it. The tools are under the
/// agent's rules, checks, limits and consent like any other. For one thread, and for one agent.
public final class McpTools implements ToolRegistry.Source {
  private final String name;
  private McpWay reached;
  private boolean prefix = true;
  private List<String> include = List.of();
  private List<String> exclude = List.of();
  private final Map<String, Tool.Policy> policies = new LinkedHashMap<>();
  private Duration timeout = McpSettings.DEFAULT_TIMEOUT;
  private long responseLimit = McpSettings.DEFAULT_RESPONSE_LIMIT;
  private boolean required;
  private @Nullable Path lock;
  private boolean trusted;
  private @Nullable SamplingSettings sampling;
  private List<Path> roots = List.of();
  private Credentials credentials = NoCredentials.INSTANCE;
  private volatile @Nullable RemoteServers servers;

  private McpTools(String name, McpWay reached) {
    this.name = name;
    this.reached = reached;
  }

  /// The tools of a program that is started and used over standard input and output. It inherits
  /// only `HOME` and `PATH` from this process's environment, and has a mark in
  /// `SWITCHBOARD_PROCESS`, by which its child processes are found.
  ///
  /// @param name of the server, the prefix of its tools' names
  /// @param words the program and its arguments
  public static McpTools program(String name, String... words) {
    return new McpTools(name, new McpWay.Program(List.of(words), null, Map.of()));
  }

  /// The tools of a server on the network, over streamable HTTP.
  ///
  /// @param name of the server, the prefix of its tools' names
  public static McpTools at(String name, URI url) {
    return new McpTools(name, new McpWay.Web(url.toString(), Map.of(), null, GuardedHttp.strict()));
  }

  /// Includes only the tools whose names match one of these patterns, with `*` for any characters.
  public McpTools include(String... patterns) {
    include = List.of(patterns);
    return this;
  }

  /// Excludes the tools whose names match one of these patterns, with `*` for any characters.
  public McpTools exclude(String... patterns) {
    exclude = List.of(patterns);
    return this;
  }

  /// Omits the prefix of the tools' names, if they stay unique.
  public McpTools withoutPrefix() {
    prefix = false;
    return this;
  }

  /// Sets the time limit of a request that is not a call, such as the list of its tools: 30 s by
  /// default. A call has the timeout of its tool.
  public McpTools timeout(Duration length) {
    timeout = length;
    return this;
  }

  /// Sets the maximum bytes of one message of the server: 8 MiB by default.
  public McpTools responseLimit(long bytes) {
    responseLimit = bytes;
    return this;
  }

  /// Requires the server to be reachable when the agent is built. By default its tools appear once
  /// it is.
  public McpTools required() {
    required = true;
    return this;
  }

  /// Trusts the server's annotations to decide which failed calls may be retried.
  public McpTools trusted() {
    trusted = true;
    return this;
  }

  /// Withholds tools that are new or have changed since they were accepted; that file has the
  /// digests of accepted tools.
  public McpTools pinned(Path file) {
    lock = file;
    return this;
  }

  /// Allows the server to send requests to the agent's model (sampling), within a budget.
  ///
  /// @param maxTokens of one reply
  /// @param calls the maximum number of requests in this process
  public McpTools sampling(int maxTokens, int calls) {
    sampling = new SamplingSettings(maxTokens, calls);
    return this;
  }

  /// Sends these root folders to the server.
  public McpTools roots(Path... folders) {
    roots = List.of(folders);
    return this;
  }

  /// Sets the options of calls of that tool.
  ///
  /// @param tool the server's name of it
  public McpTools policy(String tool, Tool.Policy policy) {
    policies.put(tool, policy);
    return this;
  }

  /// Adds a header to every request.
  ///
  /// @throws IllegalStateException when the server is a program
  public McpTools header(String header, String value) {
    McpWay.Web web = web();
    Map<String, String> headers = new LinkedHashMap<>(web.headers());
    headers.put(header, value);
    reached = new McpWay.Web(web.url(), headers, web.oauth(), web.network());
    return this;
  }

  /// Sets the HTTP client, such as one that may reach an internal service.
  ///
  /// @throws IllegalStateException when the server is a program
  public McpTools network(GuardedHttp client) {
    McpWay.Web web = web();
    reached = new McpWay.Web(web.url(), web.headers(), web.oauth(), client);
    return this;
  }

  private McpWay.Web web() {
    return switch (reached) {
      case McpWay.Web web -> web;
      case McpWay.Program program -> throw new IllegalStateException("the server is a program");
    };
  }

  /// Starts the program in that folder, with these variables beside `HOME` and `PATH`.
  ///
  /// @throws IllegalStateException when the server is not a program
  public McpTools in(Path folder, Map<String, String> environment) {
    reached =
        switch (reached) {
          case McpWay.Program program -> new McpWay.Program(program.words(), folder, environment);
          case McpWay.Web web -> throw new IllegalStateException("the server is not a program");
        };
    return this;
  }

  /// Sets the credentials for requests.
  public McpTools credentials(Credentials given) {
    credentials = given;
    return this;
  }

  private McpSettings settings() {
    return new McpSettings(
        name,
        prefix,
        reached,
        include,
        exclude,
        policies,
        timeout,
        responseLimit,
        required,
        lock,
        trusted,
        sampling,
        roots);
  }

  @Override
  public void start(ToolRegistry tools, ToolDefaults defaults, Services services) {
    if (servers != null) {
      throw new IllegalStateException("the tools of an MCP server belong to one agent");
    }
    RemoteServers started =
        new RemoteServers(List.of(settings()), server -> credentials, Time.SYSTEM);
    servers = started;
    started.start(tools, defaults, services);
  }

  @Override
  public List<State> states() {
    RemoteServers begun = servers;
    return begun == null ? List.of() : begun.states();
  }

  @Override
  public void close() {
    RemoteServers begun = servers;
    if (begun != null) {
      begun.close();
    }
  }
}
