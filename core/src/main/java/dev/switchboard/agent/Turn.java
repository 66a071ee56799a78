package dev.switchboard.agent;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.rule.StopReason;
import java.util.List;

/// How a turn came to rest.
public sealed interface Turn {
  /// What there is to say to the user; empty while a person has to agree first.
  String text();

  /// The agent has answered.
  ///
  /// @param text its last words, which may be none where a tool has ended the turn
  record Reply(String text) implements Turn {}

  /// A person has to agree to calls first; [Conversation#answer] goes on.
  record Pending(List<ConsentRequest> requests) implements Turn {
    public Pending {
      requests = List.copyOf(requests);
    }

    @Override
    public String text() {
      return "";
    }
  }

  /// It was cut short.
  ///
  /// @param text a sentence for the user
  record Stopped(StopReason reason, String text) implements Turn {}
}
