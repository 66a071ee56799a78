package dev.switchboard.mcp.client;

import dev.switchboard.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A transport of messages to one server. Thread-safe.
interface Transport extends AutoCloseable {
  /// Receives the server's own messages, on a thread of the transport, without waiting.
  interface Inbox {
    /// A notification of the server.
    void handle(RpcMessage.Notification notification);

    /// A request of the server.
    ///
    /// @param answer accepts the answer, from any thread
    void asked(RpcMessage.Request request, Consumer<RpcMessage.Answer> answer);

    /// The answer is abandoned, which the server may not know.
    default void abandoned() {}

    /// The connection is lost.
    default void lost() {}
  }

  /// Sends a request, and waits for its answer.
  ///
  /// @param headers that repeat parts of it, if the transport has headers
  /// @param inbox receives the server's messages that belong to this request
  /// @param onCancel receives an action that ends the wait from another thread; an interrupt ends
  ///   it too
  /// @throws IOException when no answer arrives
  RpcMessage.Answer exchange(
      RpcMessage.Request request,
      Map<String, String> headers,
      Inbox inbox,
      Consumer<Runnable> onCancel)
      throws IOException, InterruptedException;

  /// Sends a message that has no answer.
  ///
  /// @throws IOException when the server does not accept it
  void post(RpcMessage message) throws IOException, InterruptedException;

  /// Passes the server's messages that belong to no request to that inbox.
  void listen(Inbox inbox);

  /// Sets the protocol revision for all further messages, null if it is not known yet.
  void speaks(@Nullable String version);

  /// Whether ending the wait also cancels the request at the server.
  boolean cancelsByClosing();

  /// Whether nothing can be sent any more.
  boolean isLost();

  /// Closes the connection and ends all waits for answers.
  @Override
  void close();
}
