package dev.switchboard.cli.chat;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;

/// Another model that says why it failed: whoever chats from a command line is the developer.
public final class TellingModel implements ChatModel {
  private final ChatModel model;
  private final View view;

  /// That model, whose failures are said there.
  public TellingModel(ChatModel model, View view) {
    this.model = model;
    this.view = view;
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    try {
      return model.reply(request, stream);
    } catch (ModelException e) {
      if (e.kind() != ModelException.Kind.CANCELLED) {
        view.say(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  @Override
  public String name() {
    return model.name();
  }
}
