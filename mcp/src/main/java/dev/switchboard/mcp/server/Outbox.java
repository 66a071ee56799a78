package dev.switchboard.mcp.server;

import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The messages for a client, in order, from many threads for one reader.
final class Outbox implements Peer {
  private static final int MOST = 1_000;

  private final BlockingQueue<RpcMessage> messages = new LinkedBlockingQueue<>(MOST);
  private final Questions questions;

  /// @param questions receives the answers of the client
  Outbox(Questions questions) {
    this.questions = questions;
  }

  @Override
  public void post(RpcMessage.Notification notification) {
    boolean unused = messages.offer(notification); // a client that does not read misses some
  }

  /// Adds the last message, in place of earlier ones if they are not read.
  void answer(RpcMessage.Answer answer) {
    while (!messages.offer(answer)) {
      RpcMessage unused = messages.poll();
    }
  }

  @Override
  public JsonNode ask(String method, JsonNode params, Duration most)
      throws RpcException, InterruptedException {
    return questions.ask(method, params, most, messages::offer);
  }

  /// The next message; null if none arrives in that time.
  @Nullable RpcMessage next(Duration most) throws InterruptedException {
    return messages.poll(most.toMillis(), TimeUnit.MILLISECONDS);
  }
}
