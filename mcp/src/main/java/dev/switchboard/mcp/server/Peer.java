package dev.switchboard.mcp.server;

import dev.switchboard.mcp.rpc.Message;
import dev.switchboard.mcp.rpc.RpcException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/// The way to a client. Safe for use by several threads.
interface Peer {
  /// Tells it something; without effect where it is gone.
  void tell(Message.Notification notification);

  /// What it answers to a question, in the revisions in which a server may ask.
  ///
  /// @throws RpcException when it refuses, does not answer in that time, or is gone
  JsonNode ask(String method, JsonNode params, Duration most)
      throws RpcException, InterruptedException;
}
