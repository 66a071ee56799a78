package dev.switchboard.restate;

import dev.switchboard.agent.Agent;
import dev.switchboard.loop.Input;
import dev.switchboard.text.PrincipalName;

/// A principal's inputs for the conversations of an agent, which the engine stores and assigns to
/// its workers. Thread-safe.
///
/// @param agent its name
/// @param principal whose inputs they are: an input for another principal's conversation is not
///   processed
public record RestateQueue(RestateEngine engine, String agent, String principal)
    implements Agent.Queue {
  /// @throws IllegalArgumentException when it cannot be the name of a principal
  public RestateQueue {
    principal = PrincipalName.checked(principal);
  }

  /// The inputs of the local user.
  public RestateQueue(RestateEngine engine, String agent) {
    this(engine, agent, PrincipalName.LOCAL);
  }

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
    return engine.storeInput(
        agent, conversation, ConversationObject.TAKE, key, new Request(principal, input).text());
  }

  /// Cancels the turn that runs in the conversation; without effect if none does.
  ///
  /// @throws IllegalStateException with a sentence, if the engine does not accept it
  @Override
  public void cancel(String conversation) {
    boolean unused =
        engine.storeInput(
            agent, conversation, ConversationObject.CANCEL, null, Request.cancel(principal));
  }
}
