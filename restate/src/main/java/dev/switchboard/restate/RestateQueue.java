package dev.switchboard.restate;

import dev.switchboard.agent.Agent;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;

/// Inputs for the conversations of an agent, which the engine keeps and gives to its workers. Safe
/// for use by several threads.
///
/// @param agent the agent's name
public record RestateQueue(RestateEngine engine, String agent) implements Agent.Queue {
  /// Keeps an input behind those of the conversation that wait; false, and nothing done, where it
  /// was kept before.
  ///
  /// @throws IllegalStateException when the engine does not take it, a sentence
  @Override
  public boolean submit(String conversation, Input input) {
    if (input instanceof Input.HungUp) {
      cancel(conversation);
    }
    return submit(conversation, input, input.id());
  }

  /// The same, where it was kept under that key.
  boolean submit(String conversation, Input input, String key) {
    return engine.keep(
        agent, conversation, ConversationObject.TAKE, key, InputJson.write(input).text());
  }

  /// Asks for the end of the turn that runs in the conversation; without effect where none does.
  ///
  /// @throws IllegalStateException when the engine does not take it, a sentence
  @Override
  public void cancel(String conversation) {
    boolean unused = engine.keep(agent, conversation, ConversationObject.CANCEL, null, "{}");
  }
}
