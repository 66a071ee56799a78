package dev.switchboard.phone.engine;

import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A speech model of a provider, for calls.
///
/// Thread-safe.
public interface Engine {
  /// The name of its model, for messages.
  String name();

  /// A sentence for each setting that is missing, without which no session can be opened, such as
  /// an environment variable.
  default List<String> missing() {
    return List.of();
  }

  /// Opens a session for one call, without waiting. Its first event is [EngineEvent.Ready] or
  /// [EngineEvent.Lost].
  ///
  /// @param events receives the session's events, one at a time, on a thread of the session
  EngineSession open(Setup setup, Consumer<EngineEvent> events);

  /// The setup of a session.
  ///
  /// @param instructions the system prompt
  /// @param tools all tools that may be offered; a response may be offered fewer
  /// @param history the conversation so far, the oldest item first, when a call continues in a new
  ///   session
  record Setup(String instructions, List<ToolDefinition> tools, List<Item> history) {
    public Setup {
      tools = List.copyOf(tools);
      history = List.copyOf(history);
    }
  }

  /// An item of the conversation.
  ///
  /// @param call that the runtime has made, with its output; null for a text. An engine that cannot
  ///   add calls adds the text, which contains the output
  record Item(Role role, String text, @Nullable Call call) {
    /// A text.
    public Item(Role role, String text) {
      this(role, text, null);
    }
  }

  /// A tool call and its output.
  ///
  /// @param id unique in the session
  /// @param arguments JSON
  record Call(String id, String tool, String arguments, String output) {}

  /// The author of an item.
  enum Role {
    /// The caller, also for notes such as keys pressed.
    USER,
    /// The model.
    ASSISTANT,
    /// The runtime.
    SYSTEM
  }
}
