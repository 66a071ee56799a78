package dev.switchboard.agent;

import dev.switchboard.loop.AgentLoop;
import dev.switchboard.model.ModelReply;
import dev.switchboard.text.ExceptionLog;
import java.lang.System.Logger.Level;

/// Logs what happens to a conversation's model; each line names the conversation.
record ModelLog(String agent, String conversation) {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());

  /// Logs that a model failed.
  void failed(Level level, String why) {
    LOG.log(level, line(why));
  }

  /// Logs that a reply is not whole, if it is not.
  void note(String model, ModelReply reply) {
    switch (reply.finish()) {
      case LENGTH ->
          LOG.log(Level.WARNING, line(model + ": the reply was cut at the model's limit"));
      case FILTERED ->
          LOG.log(Level.WARNING, line(model + ": the provider held words of the reply back"));
      case STOP, TOOL_CALLS, OTHER -> {}
    }
  }

  private String line(String what) {
    return ExceptionLog.in(agent, conversation, what);
  }
}
