package dev.switchboard.model;

import dev.switchboard.tool.ToolDefinition;
import java.util.List;

/// What a model is asked: a conversation to continue.
///
/// @param messages in their order; a [Message.System], where there is one, stands first, and every
///   call of a [Message.Assistant] has its [Message.Result] right behind it
/// @param tools that it may call
/// @param choice [ToolChoice#NONE] if there are no tools
public record ModelRequest(List<Message> messages, List<ToolDefinition> tools, ToolChoice choice) {
  public ModelRequest {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
    choice = tools.isEmpty() ? ToolChoice.NONE : choice;
  }

  /// A conversation without tools.
  public static ModelRequest of(Message... messages) {
    return new ModelRequest(List.of(messages), List.of(), ToolChoice.NONE);
  }

  /// This request with other messages.
  public ModelRequest withMessages(List<Message> others) {
    return new ModelRequest(others, tools, choice);
  }

  /// What a model may choose in its next reply.
  public enum ToolChoice {
    /// To call tools or to answer.
    AUTO,
    /// To call one of the tools, since nothing else may happen before.
    REQUIRED,
    /// To answer.
    NONE
  }
}
