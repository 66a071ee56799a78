package dev.switchboard.mcp.client;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.mcp.rpc.Message;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.text.Unseen;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a server says on its own: that its tools have changed, how far a call is, what it has to
/// log, what it asks for. Safe for use by several threads.
final class ServerInbox implements Transport.Inbox {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final int AT_A_TIME = 8; // questions that are being answered
  private static final int LONGEST_LOG = 1_000;
  private static final int LONGEST_PROGRESS = 200;

  private final String server;
  private final ClientFeatures features;
  private final Runnable onToolsChanged;
  private final Runnable onLost;
  private final Semaphore free = new Semaphore(AT_A_TIME);
  private final List<ToolContext> running = new CopyOnWriteArrayList<>();

  /// @param onToolsChanged is run when the server says that its tools are others now
  /// @param onLost is run when the connection is lost
  ServerInbox(String server, ClientFeatures features, Runnable onToolsChanged, Runnable onLost) {
    this.server = server;
    this.features = features;
    this.onToolsChanged = onToolsChanged;
    this.onLost = onLost;
  }

  /// The server is busy with that call from now on.
  void begun(@Nullable ToolContext call) {
    if (call != null) {
      running.add(call);
    }
  }

  /// It no longer is.
  void ended(@Nullable ToolContext call) {
    running.remove(call);
  }

  /// What takes what the server says to one call.
  Transport.Inbox of(@Nullable ToolContext call) {
    return new Transport.Inbox() {
      @Override
      public void told(Message.Notification notification) {
        if (call != null && notification.method().equals("notifications/progress")) {
          progress(call, notification.params());
        } else {
          ServerInbox.this.told(notification);
        }
      }

      @Override
      public void asked(Message.Request request, Consumer<Message.Answer> answer) {
        ServerInbox.this.asked(request, call, answer);
      }
    };
  }

  private static void progress(ToolContext call, JsonNode params) {
    call.alive();
    String message = params.path("message").asString("");
    JsonNode done = params.path("progress");
    JsonNode total = params.path("total");
    if (!message.isBlank()) {
      String shown = message.substring(0, Math.min(message.length(), LONGEST_PROGRESS));
      call.progress(Unseen.shown(shown));
    } else if (done.isNumber() && total.isNumber()) {
      call.progress(done.asString() + " of " + total.asString());
    }
  }

  @Override
  public void told(Message.Notification notification) {
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
      LOG.log(Level.DEBUG, "MCP server ''{0}'' logs, {1}: {2}", server, level, Unseen.shown(shown));
    }
  }

  /// Asked beside any call: for the only one that runs, if there is just one.
  @Override
  public void asked(Message.Request request, Consumer<Message.Answer> answer) {
    List<ToolContext> all = List.copyOf(running);
    asked(request, all.size() == 1 ? all.getFirst() : null, answer);
  }

  private void asked(
      Message.Request request, @Nullable ToolContext call, Consumer<Message.Answer> answer) {
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

  private Message.Answer answered(Message.Request request, @Nullable ToolContext call) {
    try {
      return new Message.Result(
          request.id(), features.answer(request.method(), request.params(), call));
    } catch (RpcException e) {
      return failure(request, e.error());
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a question of MCP server '" + server + "' failed", e);
      return failure(request, new RpcError(RpcError.INTERNAL, "Internal error", null));
    }
  }

  private static Message.Failure failure(Message.Request request, RpcError error) {
    return new Message.Failure(request.id(), error);
  }

  @Override
  public void lost() {
    onLost.run();
  }
}
