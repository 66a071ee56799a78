package dev.switchboard.mcp.client;

import dev.switchboard.mcp.rpc.Message;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The way to one server, which carries messages. Safe for use by several threads.
interface Transport extends AutoCloseable {
  /// What takes the server's own messages, on a thread of the transport, and does not wait.
  interface Inbox {
    /// Something that the server tells.
    void told(Message.Notification notification);

    /// Something that the server asks for.
    ///
    /// @param answer takes what comes of it, from any thread
    void asked(Message.Request request, Consumer<Message.Answer> answer);

    /// The answer is no longer awaited, which the server may not know.
    default void abandoned() {}

    /// The connection is lost.
    default void lost() {}
  }

  /// Sends a request, and waits for its answer.
  ///
  /// @param headers that repeat parts of it, where the transport has headers
  /// @param inbox takes what the server says to this request meanwhile
  /// @param onCancel is given what ends the wait from another thread; an interrupt ends it too
  /// @throws IOException when no answer comes
  Message.Answer exchange(
      Message.Request request,
      Map<String, String> headers,
      Inbox inbox,
      Consumer<Runnable> onCancel)
      throws IOException, InterruptedException;

  /// Sends what is not answered.
  ///
  /// @throws IOException when the server does not take it
  void tell(Message message) throws IOException, InterruptedException;

  /// Hands whatever the server says that belongs to no request to that inbox, from now on.
  void listen(Inbox inbox);

  /// Says in which revision of the protocol both sides speak from now on, null where that is still
  /// open.
  void speaks(@Nullable String version);

  /// Whether that the wait ends tells the server that its answer is no longer wanted.
  boolean cancelsByClosing();

  /// Whether nothing can be sent any more.
  boolean isLost();

  /// Ends the connection and what waits for an answer.
  @Override
  void close();
}
