package dev.switchboard.agent;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import java.util.Map;

/// The agent's model for questions of guardrails, handlers and MCP servers. What they use counts
/// for the day: no conversation is known here.
record CountedModel(ChatModel model, AgentSpending spending) implements ChatModel.Forwarding {
  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    ModelReply reply = model.reply(request, stream);
    spending.count(spending.priced(Map.of(model.name(), reply.usage())));
    return reply;
  }
}
