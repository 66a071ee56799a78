package dev.switchboard.mcp.server;

import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.RpcMessage;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Notifies listening clients when the tools that they may call change, or a resource that they
/// subscribed to. It checks four times a second while any client listens.
///
/// Thread-safe.
final class Changes implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");

  private static final long TICK = 250; // milliseconds

  private final Offered offered;
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private @Nullable ScheduledExecutorService clock; // guarded by this
  private @Nullable ScheduledFuture<?> looking; // guarded by this

  Changes(Offered offered) {
    this.offered = offered;
  }

  /// A listening client, until it is closed.
  final class Listener implements AutoCloseable {
    private final String principal;
    private final @Nullable Supplier<List<ToolDefinition>> tools;
    private final Map<String, Long> resources;
    private final Consumer<RpcMessage.Notification> to;
    private List<ToolDefinition> known;

    private Listener(
        String principal,
        @Nullable Supplier<List<ToolDefinition>> tools,
        Map<String, Long> resources,
        Consumer<RpcMessage.Notification> to) {
      this.principal = principal;
      this.tools = tools;
      this.resources = resources;
      this.to = to;
      known = tools == null ? List.of() : tools.get();
    }

    private void look() {
      List<ToolDefinition> now = tools == null ? known : tools.get();
      if (!now.equals(known)) {
        known = now;
        to.accept(new RpcMessage.Notification("notifications/tools/list_changed", Codec.object()));
      }
      Map<String, Long> versions = resources.isEmpty() ? Map.of() : offered.versions(principal);
      for (Map.Entry<String, Long> resource : resources.entrySet()) {
        Long version = versions.getOrDefault(resource.getKey(), Offered.GONE);
        if (!version.equals(resource.getValue())) {
          resource.setValue(version);
          ObjectNode params = Codec.object().put("uri", resource.getKey());
          to.accept(new RpcMessage.Notification("notifications/resources/updated", params));
        }
      }
    }

    @Override
    public void close() {
      listeners.remove(this);
      rest();
    }
  }

  /// Notifies that listener of changes from now on.
  ///
  /// @param principal whose resources are reported
  /// @param tools to compare with, null if changes of tools are not reported
  /// @param resources whose changes are reported: the versions that the client knows, by URI; may
  ///   be changed meanwhile
  Listener listen(
      String principal,
      @Nullable Supplier<List<ToolDefinition>> tools,
      Map<String, Long> resources,
      Consumer<RpcMessage.Notification> to) {
    Listener listener = new Listener(principal, tools, resources, to);
    listeners.add(listener);
    synchronized (this) {
      if (looking == null) {
        clock =
            Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("mcp changes").factory());
        looking = clock.scheduleWithFixedDelay(this::look, TICK, TICK, TimeUnit.MILLISECONDS);
      }
    }
    return listener;
  }

  /// Notifies that listener of changes from now on, compared with the current resources.
  Listener listen(
      String principal,
      @Nullable Supplier<List<ToolDefinition>> tools,
      Set<String> resources,
      Consumer<RpcMessage.Notification> to) {
    return listen(principal, tools, offered.versions(principal, resources), to);
  }

  private void look() {
    for (Listener listener : listeners) {
      try {
        listener.look();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.DEBUG, "changes could not be reported", e);
      }
    }
  }

  private synchronized void rest() {
    if (listeners.isEmpty() && clock != null) {
      clock.shutdownNow();
      clock = null;
      looking = null;
    }
  }

  @Override
  public void close() {
    listeners.clear();
    rest();
  }
}
