package dev.switchboard.mcp;

import dev.switchboard.config.AgentFile.McpSettings;
import dev.switchboard.config.AgentFile.McpWay;
import dev.switchboard.config.AgentFile.SamplingSettings;
import dev.switchboard.config.AgentFile.ToolPolicy;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolRegistry;
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

/// The tools of a server that speaks the Model Context Protocol, for an agent:
///
/// ```java
/// Agent.builder("helper").tools(McpTools.program("files", "npx", "-y", "@scope/files-server"))
/// ```
///
/// The server is reached when the agent is built, and ends with it. Its tools are under the agent's
/// rules, checks, limits and consent like any other. Every method gives a copy with what it sets;
/// one that has begun belongs to one agent.
public final class McpTools implements ToolRegistry.Source {
  private final McpSettings settings;
  private final Credentials credentials;
  private @Nullable RemoteServers servers;

  /// The tools of the server that these settings describe, such as those of a file.
  public static McpTools of(McpSettings settings) {
    return new McpTools(settings, NoCredentials.INSTANCE);
  }

  private McpTools(McpSettings settings, Credentials credentials) {
    this.settings = settings;
    this.credentials = credentials;
  }

  /// The tools of a program that is started, and spoken with over its standard input and output. Of
  /// this process's environment it gets `HOME` and `PATH` alone.
  ///
  /// @param name of the server, which the names of its tools begin with
  /// @param words the program and its arguments
  public static McpTools program(String name, String... words) {
    return of(name, new McpWay.Program(List.of(words), null, Map.of()));
  }

  /// The tools of a server on the network, spoken with over streamable HTTP.
  ///
  /// @param name of the server, which the names of its tools begin with
  public static McpTools at(String name, URI url) {
    return of(name, new McpWay.Web(url.toString(), Map.of(), null, GuardedHttp.strict()));
  }

  private static McpTools of(String name, McpWay way) {
    return new McpTools(
        new McpSettings(
            name,
            true,
            way,
            List.of(),
            List.of(),
            Map.of(),
            McpSettings.DEFAULT_TIMEOUT,
            McpSettings.DEFAULT_RESPONSE_LIMIT,
            false,
            null,
            false,
            null,
            List.of()),
        NoCredentials.INSTANCE);
  }

  /// Only the tools whose names one of these patterns is, `*` for any characters.
  public McpTools include(String... patterns) {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            List.of(patterns),
            settings.exclude(),
            settings.policies(),
            settings.timeout(),
            settings.responseLimit(),
            settings.required(),
            settings.lock(),
            settings.trust(),
            settings.sampling(),
            settings.roots()));
  }

  /// Not the tools whose names one of these patterns is, `*` for any characters.
  public McpTools exclude(String... patterns) {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            settings.include(),
            List.of(patterns),
            settings.policies(),
            settings.timeout(),
            settings.responseLimit(),
            settings.required(),
            settings.lock(),
            settings.trust(),
            settings.sampling(),
            settings.roots()));
  }

  /// The tools under the server's own names of them, where those stay unique.
  public McpTools withoutPrefix() {
    return with(
        new McpSettings(
            settings.name(),
            false,
            settings.reached(),
            settings.include(),
            settings.exclude(),
            settings.policies(),
            settings.timeout(),
            settings.responseLimit(),
            settings.required(),
            settings.lock(),
            settings.trust(),
            settings.sampling(),
            settings.roots()));
  }

  /// How long one request may take: 30 s by default. A call is bounded by its tool too.
  public McpTools timeout(Duration length) {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            settings.include(),
            settings.exclude(),
            settings.policies(),
            length,
            settings.responseLimit(),
            settings.required(),
            settings.lock(),
            settings.trust(),
            settings.sampling(),
            settings.roots()));
  }

  /// How many bytes one message of the server may have: 8 MiB by default.
  public McpTools responseLimit(long bytes) {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            settings.include(),
            settings.exclude(),
            settings.policies(),
            settings.timeout(),
            bytes,
            settings.required(),
            settings.lock(),
            settings.trust(),
            settings.sampling(),
            settings.roots()));
  }

  /// The agent cannot be built without the server; otherwise its tools appear when it is there.
  public McpTools required() {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            settings.include(),
            settings.exclude(),
            settings.policies(),
            settings.timeout(),
            settings.responseLimit(),
            true,
            settings.lock(),
            settings.trust(),
            settings.sampling(),
            settings.roots()));
  }

  /// Takes the server's word for which failed calls may be repeated.
  public McpTools trusted() {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            settings.include(),
            settings.exclude(),
            settings.policies(),
            settings.timeout(),
            settings.responseLimit(),
            settings.required(),
            settings.lock(),
            true,
            settings.sampling(),
            settings.roots()));
  }

  /// Holds back tools that are new or have changed since they were accepted, by their digests in
  /// that file.
  public McpTools pinned(Path file) {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            settings.include(),
            settings.exclude(),
            settings.policies(),
            settings.timeout(),
            settings.responseLimit(),
            settings.required(),
            file,
            settings.trust(),
            settings.sampling(),
            settings.roots()));
  }

  /// Lets the server ask the agent's model, within that budget.
  public McpTools sampling(SamplingSettings budget) {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            settings.include(),
            settings.exclude(),
            settings.policies(),
            settings.timeout(),
            settings.responseLimit(),
            settings.required(),
            settings.lock(),
            settings.trust(),
            budget,
            settings.roots()));
  }

  /// Tells the server of these folders.
  public McpTools roots(Path... folders) {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            settings.include(),
            settings.exclude(),
            settings.policies(),
            settings.timeout(),
            settings.responseLimit(),
            settings.required(),
            settings.lock(),
            settings.trust(),
            settings.sampling(),
            List.of(folders)));
  }

  /// What else holds for calls of that tool.
  ///
  /// @param tool the server's name of it
  public McpTools policy(String tool, ToolPolicy policy) {
    Map<String, ToolPolicy> all = new LinkedHashMap<>(settings.policies());
    all.put(tool, policy);
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            settings.reached(),
            settings.include(),
            settings.exclude(),
            all,
            settings.timeout(),
            settings.responseLimit(),
            settings.required(),
            settings.lock(),
            settings.trust(),
            settings.sampling(),
            settings.roots()));
  }

  /// A header of every request.
  ///
  /// @throws IllegalStateException when the server is a program
  public McpTools header(String name, String value) {
    Map<String, String> headers = new LinkedHashMap<>(web().headers());
    headers.put(name, value);
    McpWay.Web web = web();
    return reached(new McpWay.Web(web.url(), headers, web.oauth(), web.network()));
  }

  /// Connects by that client, such as one that may reach an inner service.
  ///
  /// @throws IllegalStateException when the server is a program
  public McpTools network(GuardedHttp client) {
    McpWay.Web web = web();
    return reached(new McpWay.Web(web.url(), web.headers(), web.oauth(), client));
  }

  /// Starts the program in that folder, and with these variables beside `HOME` and `PATH`.
  ///
  /// @throws IllegalStateException when the server is not a program
  public McpTools in(Path folder, Map<String, String> environment) {
    if (settings.reached() instanceof McpWay.Program program) {
      return reached(new McpWay.Program(program.words(), folder, environment));
    }
    throw new IllegalStateException("the server is not a program");
  }

  /// Proves by these on whose behalf requests are made.
  public McpTools credentials(Credentials given) {
    return new McpTools(settings, given);
  }

  private McpWay.Web web() {
    if (settings.reached() instanceof McpWay.Web web) {
      return web;
    }
    throw new IllegalStateException("the server is a program");
  }

  private McpTools reached(McpWay way) {
    return with(
        new McpSettings(
            settings.name(),
            settings.prefix(),
            way,
            settings.include(),
            settings.exclude(),
            settings.policies(),
            settings.timeout(),
            settings.responseLimit(),
            settings.required(),
            settings.lock(),
            settings.trust(),
            settings.sampling(),
            settings.roots()));
  }

  private McpTools with(McpSettings changed) {
    return new McpTools(changed, credentials);
  }

  @Override
  public void start(ToolRegistry tools, ToolDefaults defaults, Services services) {
    RemoteServers made = new RemoteServers(List.of(settings), server -> credentials, Time.SYSTEM);
    synchronized (this) {
      if (servers != null) {
        throw new IllegalStateException("the tools of an MCP server belong to one agent");
      }
      servers = made;
    }
    made.start(tools, defaults, services);
  }

  @Override
  public List<State> states() {
    RemoteServers begun = begun();
    return begun == null ? List.of() : begun.states();
  }

  private synchronized @Nullable RemoteServers begun() {
    return servers;
  }

  @Override
  public void close() {
    RemoteServers begun = begun();
    if (begun != null) {
      begun.close();
    }
  }
}
