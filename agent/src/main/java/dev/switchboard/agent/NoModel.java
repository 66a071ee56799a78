package dev.switchboard.agent;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;

/// The model of an agent that was given none: it refuses every request, and says what is missing.
record NoModel(String agent) implements ChatModel {
  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    throw new ModelException(
        ModelException.Kind.REFUSED,
        "agent '" + agent + "' has no model to talk with: AgentBuilder.model(..) sets it",
        null);
  }

  @Override
  public boolean endsWhenCancelled() {
    return true;
  }

  @Override
  public String name() {
    return "none";
  }
}
