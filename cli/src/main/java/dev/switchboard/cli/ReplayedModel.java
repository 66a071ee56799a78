package dev.switchboard.cli;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RecordedModel;
import dev.switchboard.model.ReplyStream;
import org.jspecify.annotations.Nullable;

/// A model of a call, on whose threads a recording of another conversation is a failure of the
/// model.
final class ReplayedModel implements ChatModel.Forwarding {
  private final ChatModel model;
  private volatile RecordedModel.@Nullable MismatchException mismatch;

  ReplayedModel(ChatModel model) {
    this.model = model;
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    try {
      return model.reply(request, stream);
    } catch (RecordedModel.MismatchException e) {
      mismatch = e;
      throw new ModelException(ModelException.Kind.REFUSED, String.valueOf(e.getMessage()), e);
    }
  }

  /// @throws Failure when the recording was of another conversation
  void throwMismatch() {
    RecordedModel.MismatchException found = mismatch;
    if (found != null) {
      throw Failure.work("The recording is of another conversation: " + found.getMessage(), found);
    }
  }

  @Override
  public ChatModel model() {
    return model;
  }
}
