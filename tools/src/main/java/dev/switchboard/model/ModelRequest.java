package dev.switchboard.model;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request to a model: a conversation to continue.
///
/// @param messages in order; a [Message.System], if any, is first, and every call of a
///   [Message.Assistant] is followed by its [Message.Result]
/// @param tools that it may call
/// @param choice [ToolChoice#NONE] if there are no tools
/// @param format of the reply's text, null for any
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

  /// A request for any text.
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

  /// The format of a structured reply: only a JSON object.
  ///
  /// @param name for the provider, letters, digits, `_` and `-`
  /// @param schema JSON Schema of an object
  /// @param strict whether every object of the schema is closed and every property required
  public record ReplyFormat(String name, Json schema, boolean strict) {}

  /// What a model may choose in its next reply.
  public enum ToolChoice {
    /// Call tools or answer.
    AUTO,
    /// Call one or more tools.
    REQUIRED,
    /// Answer only.
    NONE
  }
}
