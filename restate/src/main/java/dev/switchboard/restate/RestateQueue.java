package dev.switchboard.restate;

import dev.switchboard.agent.Agent;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;

/// Inputs for the conversations of an agent, which the engine stores and assigns to its workers.
/// Thread-safe.
///
/// @param agent its name
public record RestateQueue(RestateEngine engine, String agent) implements Agent.Queue {
  /// Stores an input behind the waiting ones of the conversation. Returns false, without effect, if
  /// it was stored before.
  ///
  /// @throws IllegalStateException with a sentence, if the engine does not accept it
  @Override
  public boolean submit(String conversation, Input input) {
    if (input instanceof Input.HungUp) {
      cancel(conversation);
    }
    return submit(conversation, input, input.id());
  }

  /// Stores an input under that key. Returns false, without effect, if the key was used before.
  boolean submit(String conversation, Input input, String key) {
    return engine.keep(
        agent, conversation, ConversationObject.TAKE, key, InputJson.write(input).text());
  }

  /// Cancels the turn that runs in the conversation; without effect if none does.
  ///
  /// @throws IllegalStateException with a sentence, if the engine does not accept it
  @Override
  public void cancel(String conversation) {
    boolean unused = engine.keep(agent, conversation, ConversationObject.CANCEL, null, "{}");
  }
}
