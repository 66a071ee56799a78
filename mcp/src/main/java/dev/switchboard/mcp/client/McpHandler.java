package dev.switchboard.mcp.client;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.ParameterHeaders;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A tool of an MCP server.
final class McpHandler implements ToolHandler {
  private static final String CONTEXT = "dev.switchboard/call";
  private static final int SHOWN = 500;

  private final RemoteServer server;
  private final RemoteTool tool;
  private final @Nullable ParameterSchema output;
  private final boolean trusted;

  /// @param output the schema of its structured content, null if that is not checked
  /// @param trusted whether a failed call may be retried if its mode allows that
  McpHandler(
      RemoteServer server, RemoteTool tool, @Nullable ParameterSchema output, boolean trusted) {
    this.server = server;
    this.tool = tool;
    this.output = output;
    this.trusted = trusted;
  }

  /// The mode implied by a tool's name and its server's annotations.
  static ToolMode mode(RemoteTool tool) {
    return ToolMode.infer(tool.name(), annotated(tool.annotations()));
  }

  private static ToolMode annotated(JsonNode hints) {
    if (hints.path("readOnlyHint").asBoolean(false)) {
      return ToolMode.READ;
    }
    if (hints.path("destructiveHint").asBoolean(true)) {
      return ToolMode.DESTRUCTIVE;
    }
    return hints.path("idempotentHint").asBoolean(false) ? ToolMode.SAFE_WRITE : ToolMode.EXTERNAL;
  }

  @Override
  public boolean mayRepeat(ToolMode mode) {
    return trusted && mode.retries();
  }

  @Override
  public boolean knowsRepeats() {
    return trusted && tool.annotations().path("idempotentHint").asBoolean(false);
  }

  @Override
  public boolean endsWhenCancelled() {
    return true;
  }

  @Override
  public Object handle(ToolHandler.Arguments arguments, ToolContext context)
      throws InterruptedException {
    JsonNode given = arguments.json().tree();
    Map<String, String> headers = ParameterHeaders.filled(tool.headers(), given);
    try {
      JsonNode result =
          server.ask(
              session ->
                  session.call(
                      tool.name(), given, headers, meta(context), context, context::onCancel),
              context);
      return CallResult.of(result, output);
    } catch (RpcException e) {
      return refused(e.error());
    }
  }

  /// The caller's identity, for servers that use it; the model does not see it.
  private static ObjectNode meta(ToolContext context) {
    ObjectNode call = Codec.object().put("call_id", context.toolCallId());
    call.put("conversation_id", context.conversationId()).put("agent", context.agentId());
    call.put("idempotency_key", context.idempotencyKey());
    if (context.caller() != null) {
      call.put("caller", context.caller()).put("callee", context.callee());
    }
    ObjectNode meta = Codec.object();
    meta.set(CONTEXT, call);
    return meta;
  }

  private ToolResult refused(RpcError error) {
    String message = error.message();
    String words = message.substring(0, Math.min(message.length(), SHOWN));
    if (error.code() == RpcError.INVALID_PARAMS) {
      return ToolResult.failure(ResultCode.INVALID_ARGUMENTS, server.called(words)).build();
    }
    throw new ToolException(server.called("%s (error %d)".formatted(words, error.code())));
  }
}
