package dev.switchboard.cli.chat;

import dev.switchboard.loop.AgentLoop;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// A model whose failures are shown in detail, since the user of the command line is the developer.
public final class VerboseModel implements ChatModel.Forwarding {
  // The loop's warnings are shown here instead.
  private static final Logger LOOP_LOG = Logger.getLogger(AgentLoop.class.getName());

  private final ChatModel model;
  private final View view;
  private volatile @Nullable ShownFailure latest;

  /// A failure that was shown.
  private record ShownFailure(ModelRequest request, ModelException.Kind kind) {}

  /// That model, whose failures are shown in that view, and not logged.
  public VerboseModel(ChatModel model, View view) {
    this.model = model;
    this.view = view;
    LOOP_LOG.setLevel(Level.OFF);
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    try {
      ModelReply reply = model.reply(request, stream);
      latest = null;
      note(reply);
      return reply;
    } catch (ModelException e) {
      if (e.kind() != ModelException.Kind.CANCELLED) {
        show(new ShownFailure(request, e.kind()), String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  /// Shows a failure, but only once if it repeats in retries, even with another message.
  private void show(ShownFailure failure, String why) {
    if (!failure.equals(latest)) {
      view.say(why);
    }
    latest = failure;
  }

  /// Shows anything unusual about a reply.
  private void note(ModelReply reply) {
    switch (reply.finish()) {
      case LENGTH -> view.say("The reply was cut at the model's limit.");
      case FILTERED -> view.say("The provider held words of the reply back.");
      case STOP, TOOL_CALLS, OTHER -> {
        if (reply.text().isBlank() && reply.calls().isEmpty()) {
          view.say("The model's reply was empty.");
        }
      }
    }
  }

  @Override
  public ChatModel model() {
    return model;
  }
}
