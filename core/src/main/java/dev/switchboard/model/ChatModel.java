package dev.switchboard.model;

/// A language model that can be asked for the next words of a conversation. The port to providers;
/// implement it for one of your own.
///
/// Implementations are safe for use by several threads.
@FunctionalInterface
public interface ChatModel {
  /// The model's one reply, waited for. It hands its words to the stream as they come, stops soon
  /// after the stream is cancelled, and tries nothing twice: the loop does, where that is sound.
  ///
  /// @throws ModelException when there is none
  ModelReply reply(ModelRequest request, ReplyStream stream);

  /// Whether a reply ends soon after its stream is cancelled, whatever it does then. Such a model
  /// runs on the calling thread; any other on a separate one, which may be abandoned.
  default boolean endsWhenCancelled() {
    return false;
  }

  /// Whether it makes replies of that form by its provider's own means. Any other is offered a tool
  /// that takes the reply, and asked to call it.
  default boolean makes(ModelRequest.ReplyFormat format) {
    return false;
  }

  /// What it is called in messages, such as `openai:gpt-4.1-mini`.
  default String name() {
    return "model";
  }
}
