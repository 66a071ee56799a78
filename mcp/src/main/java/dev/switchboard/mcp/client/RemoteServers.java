package dev.switchboard.mcp.client;

import dev.switchboard.handler.Services;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.mcp.oauth.Credentials;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// The MCP servers of one agent, and their tools in its registry. Thread-safe.
public final class RemoteServers implements ToolRegistry.Source {
  private final List<McpSettings> settings;
  private final Function<McpSettings, Credentials> credentials;
  private final Time time;
  private final Map<RemoteServer, OfferedTools> servers = new LinkedHashMap<>(); // guarded by this
  private final Set<McpSettings> known = new HashSet<>(); // whose tools were read; guarded by this
  private final ExpectedTools expected; // guarded by this
  private boolean resources; // guarded by this

  /// @param credentials for each server
  public RemoteServers(
      List<McpSettings> settings, Function<McpSettings, Credentials> credentials, Time time) {
    this.settings = List.copyOf(settings);
    this.credentials = credentials;
    this.time = time;
    expected = new ExpectedTools(settings);
  }

  @Override
  public void start(ToolRegistry tools, ToolDefaults defaults, Services services) {
    List<CompletableFuture<Void>> tried = new ArrayList<>();
    synchronized (this) {
      for (McpSettings serverSettings : settings) {
        RemoteServer server =
            new RemoteServer(
                serverSettings,
                credentials.apply(serverSettings),
                services.model(),
                (of, facts, described) -> update(tools, of, facts, described),
                time);
        servers.put(server, new OfferedTools(serverSettings, tools, defaults));
      }
      servers.keySet().forEach(server -> tried.add(server.start()));
    }
    try {
      tried.forEach(CompletableFuture::join);
    } catch (CompletionException e) {
      throw e.getCause() instanceof IllegalArgumentException conflict ? conflict : e;
    }
    for (RemoteServer server : servers()) {
      String failure = server.state().failure();
      if (server.settings().required() && failure != null) {
        throw new IllegalArgumentException(server.absent(failure));
      }
    }
  }

  private synchronized void update(
      ToolRegistry tools, RemoteServer server, ServerFacts facts, List<JsonNode> described) {
    OfferedTools offered = servers.get(server);
    if (offered != null) {
      offered.update(server, described);
      tools.guide(server.settings().name(), facts.instructions());
      if (facts.hasResources() && !resources) {
        resources = true;
        if (tools.find(ResourcesTool.NAME) == null) {
          tools.register(ResourcesTool.of(this::withResources));
        }
      }
      known.add(server.settings());
      expected
          .missing(tools, server.settings(), known::contains, offered.names())
          .forEach(offered::addFault);
    }
  }

  private List<RemoteServer> withResources() {
    return servers().stream()
        .filter(server -> {
          ServerFacts facts = server.state().facts();
          return facts != null && facts.hasResources();
        })
        .toList();
  }

  private synchronized List<RemoteServer> servers() {
    return List.copyOf(servers.keySet());
  }

  @Override
  public synchronized List<State> states() {
    List<State> states = new ArrayList<>();
    servers.forEach((server, offered) -> {
      RemoteServer.State now = server.state();
      ServerFacts facts = now.facts();
      String detail =
          now.failure() != null
              ? now.failure()
              : facts == null ? "not reached yet" : facts.software() + ", MCP " + facts.version();
      states.add(new State(server.settings().name(), now.ready(), detail, offered.names()));
    });
    return states;
  }

  /// Accepts the current tools of its servers, if they are pinned.
  public synchronized void accept() {
    servers.forEach((server, offered) -> offered.accept(server));
  }

  @Override
  public void close() {
    List<Thread> ending =
        servers().stream().map(server -> Thread.ofVirtual().start(server::close)).toList();
    for (Thread thread : ending) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
