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
  void cut(SpokenResponse reply);

  /// A response has ended, or was given up.
  void ended(SpokenResponse response, EngineEvent.Status status, ModelReply.Usage tokens);

  /// A response was refused permanently, or never began.
  void refused(Wanted wanted, String code);
}
