package dev.switchboard.execution;

import dev.switchboard.text.LoggableMessage;
import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Another process, or another agent of this one, continues the same conversation; nothing was done
/// here. This object is closed; the agent reopens the conversation in its current state.
public final class ConversationConflictException extends RuntimeException
    implements LoggableMessage {
  @Serial private static final long serialVersionUID = 1;

  private final @Nullable Duration held;

  /// The conflict in that conversation.
  ///
  /// @param held the longest remaining time of the other's lease; null if it has already continued
  public ConversationConflictException(String conversation, @Nullable Duration held) {
    super(
        "another process continues conversation '"
            + conversation
            + "'"
            + (held == null
                ? ""
                : "; if it has died, the conversation is free in "
                    + (held.toSeconds() + 1)
                    + " s"));
    this.held = held;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /// The longest remaining time of the other's lease; null if it has already continued.
  public @Nullable Duration held() {
    return held;
  }
}
