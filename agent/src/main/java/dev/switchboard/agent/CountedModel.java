package dev.switchboard.agent;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import java.util.Map;

/// The agent's model for questions of guardrails, handlers and MCP servers. What they use counts
/// for the day: no conversation is known here.
record CountedModel(ChatModel model, AgentSpending spending) implements ChatModel {
  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    ModelReply reply = model.reply(request, stream);
    spending.count(spending.priced(Map.of(model.name(), reply.usage())));
    return reply;
  }

  @Override
  public boolean endsWhenCancelled() {
    return model.endsWhenCancelled();
  }

  @Override
  public boolean makes(ModelRequest.ReplyFormat format) {
    return model.makes(format);
  }

  @Override
  public int window() {
    return model.window();
  }

  @Override
  public int maxTokens() {
    return model.maxTokens();
  }

  @Override
  public boolean reasons() {
    return model.reasons();
  }

  @Override
  public boolean forcesCalls() {
    return model.forcesCalls();
  }

  @Override
  public String name() {
    return model.name();
  }
}
