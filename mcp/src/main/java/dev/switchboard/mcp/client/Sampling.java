package dev.switchboard.mcp.client;

import dev.switchboard.json.Codec;
import dev.switchboard.mcp.client.McpSettings.SamplingSettings;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sends a server's requests to the agent's model, within a budget. The model reads only the
/// server's text, nothing of the conversation.
final class Sampling {
  private static final int LONGEST = 100_000; // characters of all messages
  private static final int CHARACTERS_OF_TOKEN = 4;

  private final ChatModel model;
  private final SamplingSettings budget;
  private final AtomicInteger left;

  Sampling(ChatModel model, SamplingSettings budget) {
    this.model = model;
    this.budget = budget;
    left = new AtomicInteger(budget.calls());
  }

  /// The result of `sampling/createMessage`.
  JsonNode answer(JsonNode params) throws RpcException {
    ModelRequest request = request(params);
    if (left.getAndUpdate(calls -> Math.max(0, calls - 1)) == 0) {
      throw new RpcException(-1, "The budget for questions to the model is used up.");
    }
    try {
      ModelReply reply = model.reply(request, ReplyStream.unheard());
      int most =
          Math.max(
              1, Math.min(params.path("maxTokens").asInt(budget.maxTokens()), budget.maxTokens()));
      return result(reply.text(), most);
    } catch (ModelException e) {
      throw new RpcException(RpcError.INTERNAL, "The model did not reply.");
    }
  }

  private ObjectNode result(String words, int mostTokens) {
    int most = mostTokens * CHARACTERS_OF_TOKEN;
    boolean cut = words.length() > most;
    ObjectNode result = Codec.object().put("role", "assistant");
    result
        .putObject("content")
        .put("type", "text")
        .put("text", cut ? words.substring(0, most) : words);
    return result.put("model", model.name()).put("stopReason", cut ? "maxTokens" : "endTurn");
  }

  private static ModelRequest request(JsonNode params) throws RpcException {
    List<Message> messages = new ArrayList<>();
    String system = params.path("systemPrompt").asString("");
    if (!system.isEmpty()) {
      messages.add(new Message.System(system));
    }
    int length = system.length();
    for (JsonNode message : params.path("messages")) {
      String text = text(message.path("content"));
      length += text.length();
      messages.add(
          message.path("role").asString("").equals("assistant")
              ? new Message.Assistant(text, List.of())
              : new Message.User(text));
    }
    if (length == 0 || length > LONGEST) {
      throw new RpcException(
          RpcError.INVALID_PARAMS, "messages must have 1 to " + LONGEST + " characters");
    }
    return ModelRequest.of(messages.toArray(Message[]::new));
  }

  private static String text(JsonNode content) throws RpcException {
    StringBuilder text = new StringBuilder();
    for (JsonNode part : content.isArray() ? content : List.of(content)) {
      if (!part.path("type").asString("").equals("text")) {
        throw new RpcException(RpcError.INVALID_PARAMS, "This client's model reads text only.");
      }
      text.append(text.isEmpty() ? "" : "\n").append(part.path("text").asString(""));
    }
    return text.toString();
  }
}
