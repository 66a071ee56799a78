package dev.switchboard.phone.call;

import dev.switchboard.model.Message;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import java.util.List;

/// What the caller hears first, once: the disclosure, and the agent's first message.
///
/// For the actor's thread.
final class Greeting {
  private final CallContext call;
  private final ResponsePlayer player;
  private final EngineRequests engine;
  private final CallJournal journal;
  private String words = ""; // the first message for this caller
  private boolean said;

  Greeting(CallContext call, ResponsePlayer player, EngineRequests engine, CallJournal journal) {
    this.call = call;
    this.player = player;
    this.engine = engine;
    this.journal = journal;
  }

  /// Sets the first message, empty for none.
  void words(String first) {
    words = first;
  }

  /// Says it, unless it was said.
  void say() {
    if (said) {
      return;
    }
    said = true;
    player.requests().say(Kind.DISCLOSURE, call.settings().words().of(Phrase.DISCLOSURE), false);
    if (!words.isEmpty()) {
      engine.add(new Message.Assistant(words, List.of()));
      player.requests().say(Kind.FIRST_MESSAGE, words, false);
      journal.storeGreeting(words);
    }
  }
}
