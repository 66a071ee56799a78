package dev.switchboard.mcp.server;

import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.Message;
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

/// Tells clients that listen when the tools that they may call are others, or a resource that they
/// subscribe to has changed. It looks four times a second while anybody listens.
///
/// Safe for use by several threads.
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

  /// Somebody who listens, until it is closed.
  final class Listener implements AutoCloseable {
    private final @Nullable Supplier<List<ToolDefinition>> tools;
    private final Map<String, Long> resources;
    private final Consumer<Message.Notification> to;
    private List<ToolDefinition> known;

    private Listener(
        @Nullable Supplier<List<ToolDefinition>> tools,
        Map<String, Long> resources,
        Consumer<Message.Notification> to) {
      this.tools = tools;
      this.resources = resources;
      this.to = to;
      known = tools == null ? List.of() : tools.get();
    }

    private void look() {
      List<ToolDefinition> now = tools == null ? known : tools.get();
      if (!now.equals(known)) {
        known = now;
        to.accept(new Message.Notification("notifications/tools/list_changed", Codec.object()));
      }
      Map<String, Long> versions = resources.isEmpty() ? Map.of() : offered.versions();
      for (Map.Entry<String, Long> resource : resources.entrySet()) {
        Long version = versions.getOrDefault(resource.getKey(), Offered.GONE);
        if (!version.equals(resource.getValue())) {
          resource.setValue(version);
          ObjectNode params = Codec.object().put("uri", resource.getKey());
          to.accept(new Message.Notification("notifications/resources/updated", params));
        }
      }
    }

    @Override
    public void close() {
      listeners.remove(this);
      rest();
    }
  }

  /// Tells there of changes from now on.
  ///
  /// @param tools that are compared, null where nothing is told of them
  /// @param resources those whose changes are told: the versions that the client knows, by their
  ///   URIs; may be changed meanwhile
  Listener listen(
      @Nullable Supplier<List<ToolDefinition>> tools,
      Map<String, Long> resources,
      Consumer<Message.Notification> to) {
    Listener listener = new Listener(tools, resources, to);
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

  /// The same for these resources as they are now.
  Listener listen(
      @Nullable Supplier<List<ToolDefinition>> tools,
      Set<String> resources,
      Consumer<Message.Notification> to) {
    return listen(tools, offered.versions(resources), to);
  }

  private void look() {
    for (Listener listener : listeners) {
      try {
        listener.look();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.DEBUG, "changes could not be told", e);
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
