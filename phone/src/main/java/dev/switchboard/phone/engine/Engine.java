package dev.switchboard.phone.engine;

import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.function.Consumer;

/// What hears and speaks on a call: a model of speech at a provider.
///
/// Safe for use by several threads.
public interface Engine {
  /// The name of its model, for people.
  String name();

  /// Opens a session for one call. Does not wait: what comes of it is told as events, at first
  /// [EngineEvent.Ready] or [EngineEvent.Lost].
  ///
  /// @param events takes the session's events, one after the other, on a thread of the session's
  EngineSession open(Setup setup, Consumer<EngineEvent> events);

  /// What a session is opened with.
  ///
  /// @param instructions what the model is told to be
  /// @param tools that are ever offered; a response may be offered fewer
  /// @param history what was said before in words, the oldest first, where a call goes on in a new
  ///   session
  record Setup(String instructions, List<ToolDefinition> tools, List<Item> history) {
    public Setup {
      tools = List.copyOf(tools);
      history = List.copyOf(history);
    }
  }

  /// Words of the conversation in text.
  record Item(Role role, String text) {}

  /// Who said something, or to whom it is addressed.
  enum Role {
    /// The caller, and what stands for words of theirs, such as keys pressed.
    USER,
    /// The model.
    ASSISTANT,
    /// The runtime.
    SYSTEM
  }
}
