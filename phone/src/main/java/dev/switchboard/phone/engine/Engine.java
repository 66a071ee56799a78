package dev.switchboard.phone.engine;

import dev.switchboard.model.Message;
import dev.switchboard.phone.carrier.Medium;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.function.Consumer;

/// What speaks with callers: a speech model of a provider, or a voice for the agent's own model.
///
/// Thread-safe.
public interface Engine {
  /// Its name, for messages, such as that of its model.
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

  /// Who keeps the conversation of a session.
  default Keeper conversation() {
    return Keeper.ENGINE;
  }

  /// What it needs of the carrier.
  default Medium medium() {
    return new Medium.Audio();
  }

  /// Who keeps a conversation.
  enum Keeper {
    /// The engine: it is told every message, result and truncation.
    ENGINE,
    /// The agent: each [EngineSession.Response] brings its request for a model, and the session
    /// gets no messages, results and truncations.
    AGENT
  }

  /// The setup of a session.
  ///
  /// @param instructions the system prompt
  /// @param tools all tools that may be offered; a response may be offered fewer
  /// @param history the conversation so far, the oldest message first, when a call continues in a
  ///   new session
  record Setup(String instructions, List<ToolDefinition> tools, List<Message> history) {
    public Setup {
      tools = List.copyOf(tools);
      history = List.copyOf(history);
    }
  }
}
