package dev.switchboard.execution;

import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Another process, or another agent of this one, goes on with the same conversation; nothing was
/// done here. The conversation here is closed: whoever asks its agent for it again gets it as it
/// stands by then.
public final class ConversationConflictException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final @Nullable Duration held;

  /// The one of that conversation.
  ///
  /// @param held how long the other still holds it, if it says nothing more; null where it has gone
  ///   on already
  public ConversationConflictException(String conversation, @Nullable Duration held) {
    super(
        "another process goes on with conversation '"
            + conversation
            + "'"
            + (held == null
                ? ""
                : "; if it has died, the conversation is free in "
                    + (held.toSeconds() + 1)
                    + " s"));
    this.held = held;
  }

  /// How long the other still holds the conversation, if it does not renew that; null where it has
  /// gone on already.
  public @Nullable Duration held() {
    return held;
  }
}
