package dev.switchboard.phone.call;

import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.engine.EngineEvent;

/// What follows from the agent's speech.
interface SpeechWatcher {
  /// The number of the turn that a response belongs to.
  int turn();

  /// The caller begins to hear a response.
  void sounds(Wanted response);

  /// The caller has heard more of the agent.
  void heard();

  /// The caller did not hear a reply completely.
  void cut(Spoken reply);

  /// The caller has interrupted the agent.
  void interrupted();

  /// A response has ended, or was given up.
  ///
  /// @param reason why it was not completed
  void ended(Spoken of, EngineEvent.Status status, String reason, ModelReply.Usage tokens);

  /// A response was refused permanently, or never began.
  void refused(Wanted wanted, String code);
}
