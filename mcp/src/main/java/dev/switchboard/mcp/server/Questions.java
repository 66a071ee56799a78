package dev.switchboard.mcp.server;

import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// Requests to one client that wait for its answers. Thread-safe.
final class Questions {
  private final Map<String, CompletableFuture<RpcMessage.Answer>> open = new ConcurrentHashMap<>();

  /// The client's answer.
  ///
  /// @param send sends the question; returns false if that is not possible
  /// @throws RpcException when it refuses, or does not answer in that time
  JsonNode ask(String method, JsonNode params, Duration most, Predicate<RpcMessage.Request> send)
      throws RpcException, InterruptedException {
    String id = "server-" + UUID.randomUUID();
    CompletableFuture<RpcMessage.Answer> answer = new CompletableFuture<>();
    open.put(id, answer);
    try {
      if (!send.test(new RpcMessage.Request(StringNode.valueOf(id), method, params))) {
        throw new RpcException(RpcError.INTERNAL, "the client does not read");
      }
      return switch (answer.get(most.toMillis(), TimeUnit.MILLISECONDS)) {
        case RpcMessage.Result result -> result.result();
        case RpcMessage.Failure failure -> throw new RpcException(failure.error());
      };
    } catch (ExecutionException | TimeoutException e) {
      throw new RpcException(RpcError.INTERNAL, "the client has not answered");
    } finally {
      open.remove(id);
    }
  }

  /// Accepts an answer of the client; without effect if nothing waits for it.
  void answered(RpcMessage.Answer answer) {
    JsonNode id = answer.id();
    CompletableFuture<RpcMessage.Answer> question = id == null ? null : open.get(id.asString());
    if (question != null) {
      question.complete(answer);
    }
  }
}
