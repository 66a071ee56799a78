package dev.switchboard.bench;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/// The same scripted model behind the port of each runtime. It looks at the last message only: the
/// user's words, where they are an object, become the arguments of a call under a new id; any other
/// text, such as a result, is said back.
///
/// @param thinking what it does before it replies
record Script(Runnable thinking)
    implements dev.switchboard.model.ChatModel, dev.langchain4j.model.chat.ChatModel {
  private static final Runnable AT_ONCE = () -> {};
  private static final AtomicLong CALLS = new AtomicLong();

  /// One that replies at once.
  Script() {
    this(AT_ONCE);
  }

  private static boolean isOrder(String words) {
    return words.startsWith("{");
  }

  private static String newId() {
    return "call_" + CALLS.incrementAndGet();
  }

  @Override
  public boolean endsWhenCancelled() {
    return true;
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    thinking.run();
    return switch (request.messages().getLast()) {
      case Message.User(String words, var files) when isOrder(words) ->
          ModelReply.calls(RequestedCall.of(newId(), Contenders.NAME, words));
      case Message.User(String words, var files) -> ModelReply.text(words);
      case Message.Result result -> ModelReply.text(result.text());
      case Message other -> throw new IllegalStateException("cannot reply to " + other);
    };
  }

  @Override
  public dev.langchain4j.model.chat.response.ChatResponse doChat(ChatRequest request) {
    thinking.run();
    return dev.langchain4j.model.chat.response.ChatResponse.builder()
        .aiMessage(langChain4jReply(request.messages().getLast()))
        .build();
  }

  private static AiMessage langChain4jReply(ChatMessage last) {
    return switch (last) {
      case UserMessage user when isOrder(user.singleText()) ->
          AiMessage.from(
              ToolExecutionRequest.builder()
                  .id(newId())
                  .name(Contenders.NAME)
                  .arguments(user.singleText())
                  .build());
      case UserMessage user -> AiMessage.from(user.singleText());
      case ToolExecutionResultMessage result -> AiMessage.from(result.text());
      case ChatMessage other -> throw new IllegalStateException("cannot reply to " + other);
    };
  }

  /// The model behind Spring's port, whose methods clash with those of the others.
  org.springframework.ai.chat.model.ChatModel spring() {
    return new Spring(thinking);
  }

  private record Spring(Runnable thinking) implements org.springframework.ai.chat.model.ChatModel {
    private static final ChatOptions OPTIONS = ToolCallingChatOptions.builder().build();

    @Override
    public ChatResponse call(Prompt prompt) {
      thinking.run();
      return new ChatResponse(List.of(new Generation(reply(prompt.getInstructions().getLast()))));
    }

    private static AssistantMessage reply(org.springframework.ai.chat.messages.Message last) {
      return switch (last) {
        case org.springframework.ai.chat.messages.UserMessage user when isOrder(user.getText()) ->
            AssistantMessage.builder().toolCalls(List.of(order(user.getText()))).build();
        case ToolResponseMessage result ->
            new AssistantMessage(result.getResponses().getFirst().responseData());
        case org.springframework.ai.chat.messages.Message other ->
            new AssistantMessage(other.getText());
      };
    }

    private static AssistantMessage.ToolCall order(String words) {
      return new AssistantMessage.ToolCall(newId(), "function", Contenders.NAME, words);
    }

    @Override
    public ChatOptions getOptions() {
      return OPTIONS;
    }
  }
}
