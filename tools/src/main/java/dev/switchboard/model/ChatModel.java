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

  /// How many tokens a request and its reply may have together, 0 if that is not known.
  default int window() {
    return 0;
  }

  /// The maximum tokens of a reply, 0 if that is not known.
  default int maxTokens() {
    return 0;
  }

  /// Whether it thinks before it replies, so that it may be silent for long.
  default boolean reasons() {
    return false;
  }

  /// Whether it can be made to call a tool; any other is asked to in words.
  default boolean forcesCalls() {
    return true;
  }

  /// Its name in messages, such as `openai:gpt-6-luna`.
  default String name() {
    return "model";
  }

  /// A model in front of another, whose abilities and name it has: implement it to log, count or
  /// check the requests of another model.
  interface Forwarding extends ChatModel {
    /// The other model.
    ChatModel model();

    @Override
    default boolean endsWhenCancelled() {
      return model().endsWhenCancelled();
    }

    @Override
    default boolean makes(ModelRequest.ReplyFormat format) {
      return model().makes(format);
    }

    @Override
    default int window() {
      return model().window();
    }

    @Override
    default int maxTokens() {
      return model().maxTokens();
    }

    @Override
    default boolean reasons() {
      return model().reasons();
    }

    @Override
    default boolean forcesCalls() {
      return model().forcesCalls();
    }

    @Override
    default String name() {
      return model().name();
    }
  }
}
