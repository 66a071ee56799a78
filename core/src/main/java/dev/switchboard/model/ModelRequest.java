package dev.switchboard.model;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model is asked: a conversation to continue.
///
/// @param messages in their order; a [Message.System], where there is one, stands first, and every
///   call of a [Message.Assistant] has its [Message.Result] right behind it
/// @param tools that it may call
/// @param choice [ToolChoice#NONE] if there are no tools
/// @param format the form that words of the reply must have, null for any
public record ModelRequest(
    List<Message> messages,
    List<ToolDefinition> tools,
    ToolChoice choice,
    @Nullable ReplyFormat format) {
  public ModelRequest {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
    choice = tools.isEmpty() ? ToolChoice.NONE : choice;
  }

  /// A request for words of any form.
  public ModelRequest(List<Message> messages, List<ToolDefinition> tools, ToolChoice choice) {
    this(messages, tools, choice, null);
  }

  /// A conversation without tools.
  public static ModelRequest of(Message... messages) {
    return new ModelRequest(List.of(messages), List.of(), ToolChoice.NONE);
  }

  /// This request with other messages.
  public ModelRequest withMessages(List<Message> others) {
    return new ModelRequest(others, tools, choice, format);
  }

  /// The form of a structured reply: a JSON object, and nothing else.
  ///
  /// @param name for the provider, letters, digits, `_` and `-`
  /// @param schema JSON Schema of an object
  /// @param strict whether every object of the schema is closed and every property required
  public record ReplyFormat(String name, Json schema, boolean strict) {}

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
