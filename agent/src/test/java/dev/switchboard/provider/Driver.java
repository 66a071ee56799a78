package dev.switchboard.provider;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;

/// What leads a conversation: it asks the model, runs the tools that the model asks for, and asks
/// again until there are words alone.
@FunctionalInterface
interface Driver {
  /// The model's last words.
  String answer(ChatModel model, boolean streamed, String sentence, List<Tool> tools);

  /// The simplest one.
  Driver DIRECT =
      (model, streamed, sentence, tools) -> {
        ToolExecutor executor = ToolExecutor.builder().tools(tools).build();
        List<Message> messages = new ArrayList<>();
        messages.add(new Message.System("You book tables."));
        messages.add(new Message.User(sentence));
        while (true) {
          ReplyStream stream = streamed ? new ReplyStream(text -> {}) : ReplyStream.unheard();
          ModelReply reply =
              model.reply(
                  new ModelRequest(
                      messages,
                      tools.stream().map(Tool::definition).toList(),
                      ModelRequest.ToolChoice.AUTO),
                  stream);
          if (reply.calls().isEmpty()) {
            return reply.text();
          }
          messages.add(new Message.Assistant(reply.text(), reply.calls()));
          reply.calls().forEach(call -> messages.add(result(executor, call)));
        }
      };

  private static Message.Result result(ToolExecutor executor, RequestedCall call) {
    ToolResult result = executor.execute(new ToolCall(call.id(), call.name(), call.arguments()));
    return new Message.Result(call.id(), call.name(), result.text(), result.success());
  }
}
