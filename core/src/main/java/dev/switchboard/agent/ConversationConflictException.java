package dev.switchboard.agent;

import java.io.Serial;

/// Another process goes on with the same conversation. The conversation here is closed: whoever
/// asks its agent for it again gets it as it stands by then.
public final class ConversationConflictException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  ConversationConflictException(String conversation) {
    super("another process goes on with conversation '" + conversation + "'");
  }
}
