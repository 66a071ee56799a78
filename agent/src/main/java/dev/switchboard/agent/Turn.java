package dev.switchboard.agent;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.rule.StopReason;
import java.io.Serial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The outcome of a turn.
public sealed interface Turn {
  /// The text for the user; empty while a person has to agree first.
  String text();

  /// The agent has replied.
  ///
  /// @param text its text, which may be empty if a tool has ended the turn
  record Reply(String text) implements Turn {
    /// The text as a value of that type, if it is JSON of one.
    ///
    /// @throws NoReplyException when it is not
    public <T> T as(Class<T> type) {
      return ReplyForm.of(type).bound(this, type);
    }
  }

  /// A person has to agree to calls first; [Conversation#answer] continues the turn.
  record Pending(List<ConsentRequest> requests) implements Turn {
    public Pending {
      requests = List.copyOf(requests);
    }

    @Override
    public String text() {
      return "";
    }
  }

  /// The turn was stopped.
  ///
  /// @param text a sentence for the user
  /// @param cause why the model failed, for the host; null for another reason
  /// @param faults of a reply that did not have the requested form; none for another reason
  record Stopped(StopReason reason, String text, @Nullable Kind cause, List<Fault> faults)
      implements Turn {
    public Stopped {
      faults = List.copyOf(faults);
    }

    /// A turn that was not stopped because of an invalid reply.
    public Stopped(StopReason reason, String text, @Nullable Kind cause) {
      this(reason, text, cause, List.of());
    }

    /// A turn that was not stopped because of the model.
    public Stopped(StopReason reason, String text) {
      this(reason, text, null);
    }
  }

  /// A turn without a reply of the requested form.
  final class NoReplyException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final transient Turn turn;
    private final transient List<Fault> faults;

    NoReplyException(String message, Turn turn, List<Fault> faults) {
      super(message);
      this.turn = turn;
      this.faults = List.copyOf(faults);
    }

    /// The outcome: other text, waiting for a person, or stopped.
    public Turn turn() {
      return turn;
    }

    /// The faults of the reply; none if there was no reply.
    public List<Fault> faults() {
      return faults;
    }
  }
}
