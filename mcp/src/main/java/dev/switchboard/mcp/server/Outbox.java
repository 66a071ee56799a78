package dev.switchboard.mcp.server;

import dev.switchboard.mcp.rpc.Message;
import dev.switchboard.mcp.rpc.RpcException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The messages for a client, in order, from many threads for one reader.
final class Outbox implements Peer {
  private static final int MOST = 1_000;

  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>(MOST);
  private final Questions questions;

  /// @param questions receives the answers of the client
  Outbox(Questions questions) {
    this.questions = questions;
  }

  @Override
  public void tell(Message.Notification notification) {
    boolean unused = messages.offer(notification); // a client that does not read misses some
  }

  /// Adds the last message, in place of earlier ones if they are not read.
  void answer(Message.Answer answer) {
    while (!messages.offer(answer)) {
      Message unused = messages.poll();
    }
  }

  @Override
  public JsonNode ask(String method, JsonNode params, Duration most)
      throws RpcException, InterruptedException {
    return questions.ask(method, params, most, messages::offer);
  }

  /// The next message; null if none arrives in that time.
  @Nullable Message next(Duration most) throws InterruptedException {
    return messages.poll(most.toMillis(), TimeUnit.MILLISECONDS);
  }
}
