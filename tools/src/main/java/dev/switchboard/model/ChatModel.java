package dev.switchboard.model;

/// A language model that continues a conversation. Implement it for a model of your own.
///
/// Implementations are thread-safe.
@FunctionalInterface
public interface ChatModel {
  /// Waits for the model's reply, and passes its text to the stream as it arrives. Stops soon after
  /// the stream is cancelled. Does not retry: the loop does, if that is safe.
  ///
  /// @throws ModelException when there is none
  ModelReply reply(ModelRequest request, ReplyStream stream);

  /// Whether a reply reliably ends soon after its stream is cancelled. Such a model runs on the
  /// calling thread; any other on a separate one, which may be abandoned.
  default boolean endsWhenCancelled() {
    return false;
  }

  /// Whether its provider supports replies of that format. Any other model is offered a tool for
  /// the reply, and must call it.
  default boolean makes(ModelRequest.ReplyFormat format) {
    return false;
  }

  /// Its name in messages, such as `openai:gpt-4.1-mini`.
  default String name() {
    return "model";
  }
}
