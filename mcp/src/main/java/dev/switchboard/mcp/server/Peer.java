package dev.switchboard.mcp.server;

import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/// The connection to a client. Thread-safe.
interface Peer {
  /// Sends a notification; without effect if the client is gone.
  void post(RpcMessage.Notification notification);

  /// The client's answer to a request, in the revisions in which a server may send one.
  ///
  /// @throws RpcException when it refuses, does not answer in that time, or is gone
  JsonNode ask(String method, JsonNode params, Duration most)
      throws RpcException, InterruptedException;
}
