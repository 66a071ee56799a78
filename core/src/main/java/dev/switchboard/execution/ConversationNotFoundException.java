package dev.switchboard.execution;

import java.util.NoSuchElementException;

/// There is no such conversation for the principal that asks for it: none of that id, or another
/// principal's, which look alike.
public final class ConversationNotFoundException extends NoSuchElementException {
  private static final long serialVersionUID = 1L;

  /// @param conversation its id
  public ConversationNotFoundException(String conversation) {
    super("conversation '" + conversation + "' was not found");
  }
}
