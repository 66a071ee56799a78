package dev.switchboard.agent;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.model.ModelException;
import dev.switchboard.rule.StopReason;
import java.io.Serial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a turn came to rest.
public sealed interface Turn {
  /// What there is to say to the user; empty while a person has to agree first.
  String text();

  /// The agent has answered.
  ///
  /// @param text its last words, which may be none where a tool has ended the turn
  record Reply(String text) implements Turn {
    /// The words as a value of that type, where they are the JSON of one.
    ///
    /// @throws NoReplyException when they are not
    public <T> T as(Class<T> type) {
      return ReplyForm.of(type).bound(this, type);
    }
  }

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
  /// @param faults of a reply that is not of the form that was asked for; none for another reason
  record Stopped(
      StopReason reason, String text, ModelException.@Nullable Kind cause, List<Fault> faults)
      implements Turn {
    public Stopped {
      faults = List.copyOf(faults);
    }

    /// One for another reason than the form of the reply.
    public Stopped(StopReason reason, String text, ModelException.@Nullable Kind cause) {
      this(reason, text, cause, List.of());
    }

    /// One for no fault of the model's.
    public Stopped(StopReason reason, String text) {
      this(reason, text, null);
    }
  }

  /// A turn that has not come to a reply of the form that was asked for.
  final class NoReplyException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final transient Turn turn;
    private final transient List<Fault> faults;

    NoReplyException(String message, Turn turn, List<Fault> faults) {
      super(message);
      this.turn = turn;
      this.faults = List.copyOf(faults);
    }

    /// How it came to rest: with other words, waiting for a person, or cut short.
    public Turn turn() {
      return turn;
    }

    /// What is wrong with the reply; none where there was no reply.
    public List<Fault> faults() {
      return faults;
    }
  }
}
