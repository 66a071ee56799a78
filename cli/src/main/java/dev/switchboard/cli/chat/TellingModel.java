package dev.switchboard.cli.chat;

import dev.switchboard.agent.AgentLoop;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Another model that says why it failed: whoever chats from a command line is the developer.
public final class TellingModel implements ChatModel {
  // What the loop would warn of is said here.
  private static final Logger LOOP_LOG = Logger.getLogger(AgentLoop.class.getName());

  private final ChatModel model;
  private final View view;
  private volatile String told = "";

  /// That model, whose failures are said there, and nowhere else.
  public TellingModel(ChatModel model, View view) {
    this.model = model;
    this.view = view;
    LOOP_LOG.setLevel(Level.OFF);
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    try {
      ModelReply reply = model.reply(request, stream);
      told = "";
      return reply;
    } catch (ModelException e) {
      if (e.kind() != ModelException.Kind.CANCELLED) {
        tell(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  /// A failure that comes again when it is tried again is said once.
  private void tell(String why) {
    if (!why.equals(told)) {
      view.say(why);
    }
    told = why;
  }

  @Override
  public String name() {
    return model.name();
  }
}
