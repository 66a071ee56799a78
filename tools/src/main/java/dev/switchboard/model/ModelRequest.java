package dev.switchboard.model;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request to a model: a conversation to continue.
///
/// @param messages in order; a [Message.System], if any, is first, and every call of a
///   [Message.Assistant] is followed by its [Message.Result]
/// @param tools that it may call now
/// @param choice [ToolChoice#NONE] if there are no tools
/// @param format of the reply's text, null for any
/// @param declared the tools that the model knows: those that it may call and those that it could
///   call before or may call later, so that they are the same from request to request. Providers
///   that tie reasoning to all that stands before it are sent these
/// @param cacheKey of the conversation for the provider's cache, 32 hexadecimal digits; null for
///   none
public record ModelRequest(
    List<Message> messages,
    List<ToolDefinition> tools,
    ToolChoice choice,
    @Nullable ReplyFormat format,
    List<ToolDefinition> declared,
    @Nullable String cacheKey) {
  public ModelRequest {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
    choice = tools.isEmpty() ? ToolChoice.NONE : choice;
    declared = withAll(declared, tools);
  }

  /// A request that declares no other tools than those that may be called.
  public ModelRequest(
      List<Message> messages,
      List<ToolDefinition> tools,
      ToolChoice choice,
      @Nullable ReplyFormat format) {
    this(messages, tools, choice, format, tools, null);
  }

  /// The declared tools with those of the other list whose names are not among them.
  private static List<ToolDefinition> withAll(
      List<ToolDefinition> declared, List<ToolDefinition> tools) {
    if (holdsInOrder(declared, tools)) {
      return List.copyOf(declared);
    }
    Set<String> names = HashSet.newHashSet(declared.size());
    declared.forEach(tool -> names.add(tool.name()));
    List<ToolDefinition> all = new ArrayList<>(declared);
    tools.stream().filter(tool -> names.add(tool.name())).forEach(all::add);
    return List.copyOf(all);
  }

  /// Whether the declared tools hold all of the others in their order, as they do but for a hook.
  private static boolean holdsInOrder(List<ToolDefinition> declared, List<ToolDefinition> tools) {
    int next = 0;
    for (ToolDefinition tool : declared) {
      if (next < tools.size() && tool.name().equals(tools.get(next).name())) {
        next++;
      }
    }
    return next == tools.size();
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
    return new ModelRequest(others, tools, choice, format, declared, cacheKey);
  }

  /// This request with other tools to call now; those that are declared stay.
  public ModelRequest withTools(List<ToolDefinition> others, ToolChoice other) {
    return new ModelRequest(messages, others, other, format, declared, cacheKey);
  }

  /// This request with another format of the reply.
  public ModelRequest withFormat(@Nullable ReplyFormat other) {
    return new ModelRequest(messages, tools, choice, other, declared, cacheKey);
  }

  /// This request for a conversation of that key that knows those tools, too.
  public ModelRequest declaring(List<ToolDefinition> all, @Nullable String key) {
    return new ModelRequest(messages, tools, choice, format, all, key);
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
