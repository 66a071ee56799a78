package dev.switchboard.mcp.client;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.text.InvisibleCharacters;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Handles a server's own messages: changed tools, progress, logs, requests. Thread-safe.
final class ServerInbox implements Transport.Inbox {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final int AT_A_TIME = 8; // questions that are being answered
  private static final int LONGEST_LOG = 1_000;
  private static final int MOST_ABANDONED = 1_000;

  private final String server;
  private final ClientFeatures features;
  private final Runnable onToolsChanged;
  private final Runnable onLost;
  private final Semaphore free = new Semaphore(AT_A_TIME);
  private final Set<OfCall> running = ConcurrentHashMap.newKeySet();
  // Conversations with abandoned calls, which the server may still be running.
  private final Set<String> abandoned = ConcurrentHashMap.newKeySet();

  /// @param onToolsChanged runs when the server reports that its tools have changed
  /// @param onLost runs when the connection is lost
  ServerInbox(String server, ClientFeatures features, Runnable onToolsChanged, Runnable onLost) {
    this.server = server;
    this.features = features;
    this.onToolsChanged = onToolsChanged;
    this.onLost = onLost;
  }

  /// Receives the server's messages for one call until it is closed; null for a request without a
  /// person.
  OfCall of(@Nullable ToolContext call) {
    return new OfCall(call);
  }

  /// Receives the server's messages for one call.
  final class OfCall implements Transport.Inbox, AutoCloseable {
    private final @Nullable ToolContext call;
    private final @Nullable CallProgress progress;

    private OfCall(@Nullable ToolContext call) {
      this.call = call;
      progress = call == null ? null : new CallProgress(call);
      running.add(this);
    }

    @Override
    public void handle(RpcMessage.Notification notification) {
      if (progress != null && notification.method().equals("notifications/progress")) {
        progress.accept(notification.params());
      } else {
        ServerInbox.this.handle(notification);
      }
    }

    @Override
    public void asked(RpcMessage.Request request, Consumer<RpcMessage.Answer> answer) {
      ServerInbox.this.asked(request, call, answer);
    }

    @Override
    public void abandoned() {
      if (call != null && abandoned.size() < MOST_ABANDONED) {
        abandoned.add(call.conversationId());
      }
    }

    @Override
    public void close() {
      running.remove(this);
      if (progress != null) {
        progress.end();
      }
    }
  }

  @Override
  public void handle(RpcMessage.Notification notification) {
    switch (notification.method()) {
      case "notifications/tools/list_changed" -> onToolsChanged.run();
      case "notifications/message" -> log(notification.params());
      default -> LOG.log(Level.TRACE, "MCP server ''{0}'' sent {1}", server, notification.method());
    }
  }

  private void log(JsonNode params) {
    if (LOG.isLoggable(Level.DEBUG)) {
      String data = params.path("data").toString();
      String shown = data.substring(0, Math.min(data.length(), LONGEST_LOG));
      String level = params.path("level").asString("info");
      LOG.log(
          Level.DEBUG,
          "MCP server ''{0}'' logs, {1}: {2}",
          server,
          level,
          InvisibleCharacters.shown(shown));
    }
  }

  /// Answers a request of a server that does not state its call, by the person of all its running
  /// calls, if that is one person.
  @Override
  public void asked(RpcMessage.Request request, Consumer<RpcMessage.Answer> answer) {
    Set<String> persons = new HashSet<>(abandoned);
    ToolContext last = null;
    for (OfCall call : running) {
      if (call.call != null) {
        last = call.call;
        persons.add(last.conversationId());
      }
    }
    asked(request, persons.size() == 1 ? last : null, answer);
  }

  private void asked(
      RpcMessage.Request request, @Nullable ToolContext call, Consumer<RpcMessage.Answer> answer) {
    if (!free.tryAcquire()) {
      answer.accept(failure(request, new RpcError(-1, "Too many questions at a time.", null)));
      return;
    }
    Thread.ofVirtual()
        .name("mcp " + server + " asks")
        .start(() -> {
          try {
            answer.accept(answered(request, call));
          } finally {
            free.release();
          }
        });
  }

  private RpcMessage.Answer answered(RpcMessage.Request request, @Nullable ToolContext call) {
    try {
      return new RpcMessage.Result(
          request.id(), features.answer(request.method(), request.params(), call));
    } catch (RpcException e) {
      return failure(request, e.error());
    } catch (RuntimeException e) {
      ExceptionLog.warn(LOG, "a request of MCP server '" + server + "' failed", e);
      return failure(request, new RpcError(RpcError.INTERNAL, "Internal error", null));
    }
  }

  private static RpcMessage.Failure failure(RpcMessage.Request request, RpcError error) {
    return new RpcMessage.Failure(request.id(), error);
  }

  @Override
  public void lost() {
    onLost.run();
  }
}
