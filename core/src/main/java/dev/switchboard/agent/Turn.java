package dev.switchboard.agent;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.model.ModelException;
import dev.switchboard.rule.StopReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
  /// @param cause what kept the model from replying, for the host; null where that is not the
  ///   reason
  record Stopped(StopReason reason, String text, ModelException.@Nullable Kind cause)
      implements Turn {
    /// One for no fault of the model's.
    public Stopped(StopReason reason, String text) {
      this(reason, text, null);
    }
  }
}
